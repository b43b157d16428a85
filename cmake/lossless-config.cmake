# SPDX-License-Identifier: GPL-2.0-only
#
# For programs outside the repository: find_package(lossless REQUIRED), and
# target_link_libraries(my-program PRIVATE lossless::lossless).

include(${CMAKE_CURRENT_LIST_DIR}/find-ns3.cmake)
if(NOT DEFINED lossless_FOUND OR lossless_FOUND)
  include(${CMAKE_CURRENT_LIST_DIR}/lossless-targets.cmake)
endif()
