knead_test(weights_test
  SOURCES
    tests/weights/fit_test.cpp tests/weights/open_test.cpp tests/weights/pickle_test.cpp tests/weights/rename_test.cpp
    tests/weights/write_test.cpp tests/weights/zip_test.cpp
  LIBRARIES weights_checked)

# The fuzz target on the recorded files and on random mutations of them.
add_executable(tensors_replay tests/fuzz/tensors_fuzz.cpp tests/fuzz/replay.cpp)
target_compile_options(tensors_replay PRIVATE ${sanitize} -UNDEBUG)
target_link_options(tensors_replay PRIVATE ${sanitize})
target_link_libraries(tensors_replay PRIVATE weights_checked)
add_dependencies(tests tensors_replay)
add_test(NAME tensors_replay COMMAND tensors_replay 3000 ${CMAKE_SOURCE_DIR}/tests/fixtures/weights)
# An allocation that no budget allows is a failure.
set_tests_properties(tensors_replay PROPERTIES ENVIRONMENT ASAN_OPTIONS=max_allocation_size_mb=600)
