# SPDX-License-Identifier: GPL-2.0-only
#
# What an ns-3 tree would provide, for a build against an installed ns-3: the names of its libraries,
# build_lib() and build_lib_example(). Output: <build>/bin/<program>, <build>/bin/lossless-test-runner.
#
# Options: CMAKE_BUILD_TYPE         Release (default: no logs, no asserts) or Debug (NS_LOG and asserts)
#          CMAKE_CXX_FLAGS_RELEASE  and CMAKE_CXX_FLAGS_DEBUG: other flags than CMakeLists.txt has for them
#          LOSSLESS_SANITIZE        AddressSanitizer and UndefinedBehaviorSanitizer
#          LOSSLESS_UNITY           all is compiled in half the time, see unity.cmake

set(build_types Release Debug)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "One of: ${build_types}" FORCE)
endif()
set_property(CACHE CMAKE_BUILD_TYPE PROPERTY STRINGS ${build_types})
if(NOT CMAKE_BUILD_TYPE IN_LIST build_types)
  message(FATAL_ERROR "CMAKE_BUILD_TYPE is ${CMAKE_BUILD_TYPE}; it must be one of: ${build_types}")
endif()
option(LOSSLESS_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

add_compile_definitions($<$<CONFIG:Debug>:NS3_LOG_ENABLE> $<$<CONFIG:Debug>:NS3_ASSERT_ENABLE>)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
# Programs find the library by its place beside them, so that both can be copied together.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# What CMake and Ninja call targets of their own.
set(reserved_names all clean depend edit_cache help install list_install_components package rebuild_cache test)

add_compile_options(-Wall -Wextra)
# Calls within the library need no detour for symbols that another library might replace: ours are not.
add_compile_options(-fno-semantic-interposition)
# Nor need the loader find the copy of an inline function that every user has: a megabyte of names and tables less.
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(LOSSLESS_SANITIZE)
  add_compile_options(-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(-fno-sanitize=shift-base) # ns-3's headers shift negative numbers, which C++20 defines
  add_link_options(-fsanitize=address,undefined)
else()
  # Not above: about instrumented code GCC warns without cause.
  add_compile_options(-Werror)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/find-ns3.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/install.cmake)

# C++17, unless ns-3's headers need more, as those of ns-3.43 and later do.
if(NOT CMAKE_CXX_STANDARD)
  include(CheckCXXSourceCompiles)
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_REQUIRED_INCLUDES ${NS3_HEADERS})
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles("#include <ns3/simulator.h>" NS3_IS_CXX17)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  unset(CMAKE_REQUIRED_INCLUDES)
  if(NOT NS3_IS_CXX17)
    set(CMAKE_CXX_STANDARD 20)
  endif()
endif()
if(CMAKE_CXX_STANDARD GREATER 17)
  # About std::string as C++20 GCC 12 warns without cause (its bug 105651); ns-3 does without that warning as well.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
endif()

# ns-3's version, as the VERSION file of a tree has it; its headers have it if they were built to tell.
set(version_header ${NS3_HEADERS}/ns3/version-defines.h)
if(EXISTS ${version_header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
  file(STRINGS ${version_header} version_parts REGEX "define NS3_VERSION_(MAJOR|MINOR) [0-9]+$")
  list(TRANSFORM version_parts REPLACE ".* " "")
  list(JOIN version_parts . NS3_VER)
elseif(NS3_core MATCHES "/libns3(\\.[0-9]+)-core")
  set(NS3_VER 3${CMAKE_MATCH_1})
endif()

# All headers flat in <build>/include/ns3, as ns-3 does it, so that "ns3/topology.h" is ours wherever it lives.
function(mirror_headers headers)
  set(folder ${PROJECT_BINARY_DIR}/include/ns3)
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  set(includes "")
  foreach(header ${headers})
    get_filename_component(name ${header} NAME)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${header})
      message(FATAL_ERROR "${header} is listed in CMakeLists.txt but does not exist")
    elseif(EXISTS ${folder}/${name})
      message(FATAL_ERROR "Two headers of the module are called ${name}; names must be unique")
    elseif(EXISTS ${NS3_HEADERS}/ns3/${name})
      message(FATAL_ERROR "${header} has the name of an ns-3 header; choose another")
    endif()
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${header} ${folder}/${name} SYMBOLIC)
    string(APPEND includes "#include \"ns3/${name}\"\n")
  endforeach()
  set(module_header ${PROJECT_BINARY_DIR}/include-module/ns3/lossless-module.h)
  file(CONFIGURE OUTPUT ${module_header} CONTENT "${includes}" @ONLY)
endfunction()

function(build_lib)
  cmake_parse_arguments(LIB "" "LIBNAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN})
  mirror_headers("${LIB_HEADER_FILES}")

  # What sets a network up and writes its results takes a quarter less time to compile so, and no packet passes it; so do the
  # suites, for which the library is optimised in full. Flags of the user hold for all.
  set(light_flags "")
  if(CMAKE_BUILD_TYPE STREQUAL Release AND CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3")
    set(light_flags -O1)
    set(test_flags -Og)
  endif()
  set(helper_files ${LIB_SOURCE_FILES})
  list(FILTER helper_files INCLUDE REGEX "^helper/")
  list(REMOVE_ITEM LIB_SOURCE_FILES ${helper_files})
  add_library(${LIB_LIBNAME}-helper OBJECT ${helper_files})
  set_target_properties(${LIB_LIBNAME}-helper PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${LIB_LIBNAME}-helper BEFORE PRIVATE ${PROJECT_BINARY_DIR}/include)
  target_link_libraries(${LIB_LIBNAME}-helper PRIVATE ${LIB_LIBRARIES_TO_LINK})
  target_compile_options(${LIB_LIBNAME}-helper PRIVATE ${light_flags})

  # Shared, like ns-3's own: a static library would lose the TypeIds that nothing refers to by symbol.
  add_library(${LIB_LIBNAME} SHARED ${LIB_SOURCE_FILES} $<TARGET_OBJECTS:${LIB_LIBNAME}-helper>)
  # Its own functions are found when it is linked, and not anew at each start, and of ns-3's libraries only those are
  # loaded that it uses.
  target_link_options(${LIB_LIBNAME} PRIVATE -Wl,-Bsymbolic-functions -Wl,--as-needed)
  target_include_directories(
    ${LIB_LIBNAME} BEFORE PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                                 $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include-module>
  )
  # What needs the installed library needs ns-3 only: the rest is the library's own.
  set(own_libraries ${LIB_LIBRARIES_TO_LINK})
  list(FILTER own_libraries EXCLUDE REGEX "^ns3::")
  list(FILTER LIB_LIBRARIES_TO_LINK INCLUDE REGEX "^ns3::")
  target_link_libraries(${LIB_LIBNAME} PUBLIC ${LIB_LIBRARIES_TO_LINK} $<BUILD_INTERFACE:${own_libraries}>)
  set(lib${LIB_LIBNAME} ${LIB_LIBNAME})

  add_executable(lossless-test-runner test/lossless-test-runner.cc ${LIB_TEST_SOURCES})
  # In an ns-3 tree the same name holds the path from the tree's root, where test.py runs.
  target_compile_definitions(lossless-test-runner PRIVATE NS_TEST_SOURCEDIR="${PROJECT_SOURCE_DIR}/test")
  target_compile_options(lossless-test-runner PRIVATE ${test_flags})
  target_link_libraries(lossless-test-runner PRIVATE -Wl,--no-as-needed ${LIB_LIBNAME})

  add_custom_target(lossless-programs)
  add_subdirectory(examples)
  get_property(programs DIRECTORY examples PROPERTY BUILDSYSTEM_TARGETS)
  add_dependencies(lossless-programs ${programs})
  add_custom_target(lossless-tested DEPENDS lossless-test-runner lossless-programs)
  add_own_experiments(${LIB_LIBNAME})
  install_module(${LIB_LIBNAME} "${LIB_HEADER_FILES}" "${programs}")
endfunction()

# A program of each file in scratch/. They are the user's: their warnings are no errors, what cannot be
# built is left out with a word, for nothing of the module needs them, and all of ns-3 is at hand.
function(add_own_experiments library)
  file(GLOB own_experiments CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scratch/*.cc)
  foreach(source ${own_experiments})
    get_filename_component(name ${source} NAME_WE)
    if(TARGET ${name} OR name IN_LIST reserved_names OR NOT name MATCHES "^[A-Za-z0-9_+-]+$")
      message(WARNING "${source} is not built: ${name} is taken, or no name for a program; choose another")
    else()
      build_lib_example(NAME ${name} SOURCE_FILES ${source} LIBRARIES_TO_LINK ${library} ${NS3_ALL_LIBRARIES})
      target_compile_options(${name} PRIVATE -Wno-error)
    endif()
  endforeach()
endfunction()

function(build_lib_example)
  cmake_parse_arguments(EXAMPLE "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  add_executable(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  list(LENGTH EXAMPLE_SOURCE_FILES parts)
  if(LOSSLESS_UNITY AND parts GREATER 1)
    set_target_properties(${EXAMPLE_NAME} PROPERTIES UNITY_BUILD ON)
  endif()
  # The module's library always, for its TypeIds; what a program names besides if the program uses it.
  list(LENGTH EXAMPLE_LIBRARIES_TO_LINK libraries)
  if(libraries GREATER 1)
    list(INSERT EXAMPLE_LIBRARIES_TO_LINK 1 -Wl,--as-needed)
  endif()
  target_link_libraries(${EXAMPLE_NAME} PRIVATE -Wl,--no-as-needed ${EXAMPLE_LIBRARIES_TO_LINK})
endfunction()
