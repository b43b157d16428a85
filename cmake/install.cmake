# SPDX-License-Identifier: GPL-2.0-only
#
# What `cmake --install` puts where, for scripts/package and for those who install by hand: programs, library, headers,
# what CMake and pkg-config need to build a program of one's own, the Python files, and the completion of commands.
#
# Option: LOSSLESS_PYTHON  Where the Python files go

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(LOSSLESS_PYTHON lib/python3/dist-packages CACHE STRING "Folder of the Python files, below the prefix")

file(STRINGS ${PROJECT_SOURCE_DIR}/helper/program/lossless-version.h LOSSLESS_VERSION REGEX "MODULE_VERSION = \"")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" LOSSLESS_VERSION "${LOSSLESS_VERSION}")
string(REGEX REPLACE "-.*" "" LOSSLESS_NUMBER "${LOSSLESS_VERSION}")

if(NOT CMAKE_INSTALL_PREFIX STREQUAL /usr) # where every program looks for libraries
  set(CMAKE_INSTALL_RPATH ${CMAKE_INSTALL_FULL_LIBDIR})
endif()

function(install_module library headers programs)
  # No promise is made that programs linked with one version run with another, so the name has all of it.
  set_target_properties(${library} PROPERTIES SOVERSION ${LOSSLESS_VERSION})
  set(includes ${CMAKE_INSTALL_INCLUDEDIR}/lossless)
  target_include_directories(${library} SYSTEM INTERFACE $<INSTALL_INTERFACE:${includes}>)
  target_compile_features(${library} INTERFACE cxx_std_${CMAKE_CXX_STANDARD})
  install(TARGETS ${library} EXPORT lossless-targets)
  install(TARGETS ${programs})
  install(FILES ${headers} ${PROJECT_BINARY_DIR}/include-module/ns3/lossless-module.h DESTINATION ${includes}/ns3)
  install_for_builds()
  install_data("${programs}")
endfunction()

# For find_package(lossless) and pkg-config.
function(install_for_builds)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/lossless)
  set(version_file ${PROJECT_BINARY_DIR}/lossless-config-version.cmake)
  write_basic_package_version_file(${version_file} VERSION ${LOSSLESS_NUMBER} COMPATIBILITY SameMajorVersion)
  install(EXPORT lossless-targets NAMESPACE lossless:: DESTINATION ${folder})
  install(FILES cmake/lossless-config.cmake cmake/find-ns3.cmake ${version_file} DESTINATION ${folder})

  set(ns3_folder "")
  set(ns3_libraries "")
  foreach(name core network internet traffic-control applications stats)
    get_filename_component(ns3_folder ${NS3_${name}} DIRECTORY)
    get_filename_component(file ${NS3_${name}} NAME_WLE)
    string(REGEX REPLACE "^lib" " -l" file ${file})
    string(APPEND ns3_libraries ${file})
  endforeach()
  configure_file(cmake/lossless.pc.in ${PROJECT_BINARY_DIR}/lossless.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/lossless.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

function(install_data programs)
  # By a rule and not by a list: all Python modules of scripts/ whose names begin so are for users.
  file(GLOB modules CONFIGURE_DEPENDS scripts/lossless*.py)
  file(GLOB packages CONFIGURE_DEPENDS scripts/lossless*/__init__.py)
  install(FILES ${modules} DESTINATION ${LOSSLESS_PYTHON})
  foreach(package ${packages})
    get_filename_component(folder ${package} DIRECTORY)
    install(DIRECTORY ${folder} DESTINATION ${LOSSLESS_PYTHON} PATTERN __pycache__ EXCLUDE)
  endforeach()

  set(data ${CMAKE_INSTALL_DATADIR}/lossless)
  file(GLOB samples CONFIGURE_DEPENDS examples/*.txt examples/*.py)
  list(FILTER samples EXCLUDE REGEX "/CMakeLists.txt$")
  install(FILES ${samples} scratch/lossless-starter.cc DESTINATION ${data}/examples)
  install(FILES scripts/wireshark/lossless.lua DESTINATION ${data})
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/lossless/commit.txt DESTINATION ${CMAKE_INSTALL_LIBDIR}/lossless OPTIONAL)

  # bash looks for a file of the name of the command.
  set(completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES scripts/completion.bash DESTINATION ${data})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completions)
  foreach(program ${programs})
    set(link ${PROJECT_BINARY_DIR}/completions/${program})
    file(CREATE_LINK ../../lossless/completion.bash ${link} SYMBOLIC)
    install(FILES ${link} DESTINATION ${completions})
  endforeach()
endfunction()
