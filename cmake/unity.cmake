# SPDX-License-Identifier: GPL-2.0-only
#
# Option LOSSLESS_UNITY: up to sixteen files of a folder are compiled at a time, which takes less than half the time for all
# of them, and longer for one. So one that has changed since the last build is compiled by itself from then on, unless many
# have: somebody works on it.

set(UNITY_FILES 16)
set(UNITY_ALONE 12)

# Each file of the target finds a name of its own in the macro `name`.
function(compile_together target name)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  # A file that lacks an include compiles behind one that has it: in an ns-3 tree other files come before it.
  if(target MATCHES "^lib")
    list(REVERSE sources)
  endif()
  set(last_build ${CMAKE_BINARY_DIR}/.ninja_log)
  set(alone ${LOSSLESS_ALONE_${target}})
  foreach(source ${sources})
    if(EXISTS ${last_build} AND ${CMAKE_CURRENT_SOURCE_DIR}/${source} IS_NEWER_THAN ${last_build})
      list(APPEND alone ${source})
    endif()
    string(REGEX MATCH "^[^/]+/[^/]+/" folder ${source})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR group "0${number_${folder}} / ${UNITY_FILES}")
    math(EXPR number_${folder} "0${number_${folder}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}${group})
  endforeach()
  list(REMOVE_DUPLICATES alone)
  list(LENGTH alone count)
  if(count GREATER UNITY_ALONE)
    set(alone "")
  endif()
  set(LOSSLESS_ALONE_${target} "${alone}" CACHE INTERNAL "Files of ${target} that are compiled by themselves")
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(
    ${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_UNIQUE_ID ${name}
  )
  # GCC 12 sees more at once, and takes variants of strings for uninitialised, which they are not.
  target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
endfunction()

# What compiles the library and the suites, in an ns-3 tree and standing alone.
foreach(target liblossless-obj lossless lossless-helper)
  if(TARGET ${target})
    compile_together(${target} UNIT_ID)
    # The log component, which NS_LOG_COMPONENT_DEFINE names.
    target_compile_definitions(${target} PRIVATE g_log=UNIT_ID)
  endif()
endforeach()
foreach(target liblossless-test lossless-test-runner)
  if(TARGET ${target})
    compile_together(${target} THIS_FILE) # see test/lossless-test.h
  endif()
endforeach()
