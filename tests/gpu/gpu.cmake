# On a machine with a GPU; elsewhere it is skipped.
add_test(NAME gpu COMMAND bash ${CMAKE_SOURCE_DIR}/tests/gpu/gpu_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
set_tests_properties(gpu PROPERTIES SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
