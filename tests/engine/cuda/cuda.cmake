# NCCL, as far as it can be tested without a GPU: a libnccl.so.2 on host memory, and a device on host memory.
if(NOT TARGET knead_nccl)
  return()
endif()

add_library(stand_in_nccl SHARED tests/engine/cuda/shared_ranks.cpp tests/engine/cuda/stand_in_nccl.cpp)
target_link_libraries(stand_in_nccl PRIVATE nccl_headers Threads::Threads)
target_include_directories(stand_in_nccl SYSTEM PRIVATE ${KNEAD_TORCH}/include)  # numbers of 16 bits
set_target_properties(stand_in_nccl PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/stand_in_nccl OUTPUT_NAME nccl SUFFIX .so.2)

add_executable(nccl_rank
  tests/engine/cuda/nccl_rank.cpp
  tests/engine/cuda/right_scenarios.cpp
  tests/engine/cuda/wrong_scenarios.cpp
  tests/engine/device/late_stream.cpp
  tests/engine/device/second_device.cpp
  tests/engine/train/short_run.cpp)
target_compile_definitions(nccl_rank PRIVATE KNEAD_ROOT="${CMAKE_SOURCE_DIR}")
target_link_libraries(nccl_rank PRIVATE engine_verbs torch)
headers_first(nccl_rank torch)
set_target_properties(nccl_rank PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib JOB_POOL_COMPILE torch_jobs)

add_dependencies(tests stand_in_nccl nccl_rank knead_nccl)
add_test(NAME engine_nccl
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/engine/cuda/nccl_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
