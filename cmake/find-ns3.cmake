# SPDX-License-Identifier: GPL-2.0-only
#
# An installed ns-3: NS3_HEADERS, a target ns3::libNAME for each of its libraries that the module uses, and its name in
# libNAME, as in an ns-3 tree. For the build of the module, and for programs that use the installed module.

# By name, not by find_package(ns3): the targets that Debian's libns3-dev exports refer to programs and
# development files of packages that it does not depend on (ns3, libgsl-dev, libsqlite3-dev).
find_path(NS3_HEADERS ns3/core-module.h)
# Libraries and headers are those of one installation. Debian calls its library libns3-core.so, ns-3 libns3.48-core.so,
# and in other build profiles libns3.48-core-optimized.so, for example.
get_filename_component(ns3_prefix "${NS3_HEADERS}" DIRECTORY)
file(GLOB ns3_libraries ${ns3_prefix}/lib/libns3* ${ns3_prefix}/lib/*/libns3* ${ns3_prefix}/lib64/libns3*)
foreach(library core network internet traffic-control applications stats)
  if(NS3_HEADERS AND NOT NS3_${library}) # one that was missing before may be there now
    set(found ${ns3_libraries})
    list(FILTER found INCLUDE REGEX
         "/libns3(\\.[0-9]+|-dev)?-${library}(-debug|-default|-optimized|-relwithdebinfo|-minsizerel)?\\.(so|dylib)$"
    )
    if(found)
      list(GET found 0 found)
    endif()
    set(NS3_${library} "${found}" CACHE FILEPATH "ns-3's ${library} library" FORCE)
  endif()
  mark_as_advanced(NS3_${library})
  if(NOT NS3_${library} OR NOT NS3_HEADERS)
    if(NS3_HEADERS)
      set(complaint "ns-3's ${library} library was not found: beside ${NS3_HEADERS}, neither lib, lib64 nor a folder of lib \
has a libns3*-${library}.so or .dylib")
    else()
      set(complaint "ns-3 was not found: no folder of headers has ns3/core-module.h; -DNS3_HEADERS=FOLDER names another")
    endif()
    string(APPEND complaint "; on Debian: apt-get install libns3-dev")
    if(CMAKE_FIND_PACKAGE_NAME) # find_package() says it, unless it is QUIET
      set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
      set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE "${complaint}")
      return()
    endif()
    message(FATAL_ERROR "${complaint}")
  endif()
  add_library(ns3::lib${library} SHARED IMPORTED)
  set_target_properties(ns3::lib${library} PROPERTIES IMPORTED_LOCATION ${NS3_${library}})
  target_include_directories(ns3::lib${library} SYSTEM INTERFACE ${NS3_HEADERS})
  set(lib${library} ns3::lib${library})
endforeach()

# All libraries of that build, for programs that use more of ns-3 than the module does.
get_filename_component(pattern "${NS3_core}" NAME)
string(REPLACE "." "\\." pattern "${pattern}")
string(REPLACE "-core" "-[a-z0-9-]+" pattern "${pattern}")
set(NS3_ALL_LIBRARIES ${ns3_libraries})
list(FILTER NS3_ALL_LIBRARIES INCLUDE REGEX "/${pattern}$")
