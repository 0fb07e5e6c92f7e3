knead_test(arrays_test
  SOURCES
    tests/data/arrays/array_source_test.cpp tests/data/arrays/idx_test.cpp tests/data/arrays/npy_test.cpp
    tests/data/arrays/open_arrays_test.cpp tests/data/arrays/zip_test.cpp
  LIBRARIES data_sets_checked ZLIB::ZLIB)

knead_test(transforms_test
  SOURCES tests/data/transforms/planes_test.cpp tests/data/transforms/transformed_source_test.cpp
  LIBRARIES data_sets_checked)

knead_test(images_test
  SOURCES tests/data/images/image_source_test.cpp tests/data/images/images_test.cpp
  LIBRARIES data_sets_checked ZLIB::ZLIB)

# The digits in every other format.
add_executable(digits_as tests/end_to_end/digits_as.cpp)
target_link_libraries(digits_as PRIVATE files PNG::PNG ZLIB::ZLIB)
add_dependencies(tests digits_as)
knead_test(formats_test SOURCES tests/data/formats_test.cpp LIBRARIES data_sets_checked schema_checked ZLIB::ZLIB)
add_dependencies(formats_test digits_as)

knead_test(samples_test
  SOURCES tests/data/jsonl_test.cpp tests/data/sampler_test.cpp tests/plan/weighted_draw_test.cpp
  LIBRARIES data_sets_checked ZLIB::ZLIB)

# The fuzz target of arrays, images and JSON lines on its corpus and on random mutations of it.
add_executable(arrays_replay tests/fuzz/arrays_fuzz.cpp tests/fuzz/replay.cpp)
target_compile_options(arrays_replay PRIVATE ${sanitize} -UNDEBUG)
target_link_options(arrays_replay PRIVATE ${sanitize})
target_link_libraries(arrays_replay PRIVATE data_sets_checked)
add_dependencies(tests arrays_replay)
add_test(NAME arrays_replay COMMAND arrays_replay 3000 ${CMAKE_SOURCE_DIR}/tests/fuzz/arrays)
# An allocation that no budget allows is a failure.
set_tests_properties(arrays_replay PROPERTIES ENVIRONMENT ASAN_OPTIONS=max_allocation_size_mb=600)

knead_test(tar_test
  SOURCES tests/data/tar/open_tar_test.cpp tests/data/tar/tar_walk_test.cpp tests/data/tar/unpacked_cache_test.cpp tests/data/tar/unpacked_tar_test.cpp
  LIBRARIES data_sets_checked ZLIB::ZLIB ${ZSTD})
