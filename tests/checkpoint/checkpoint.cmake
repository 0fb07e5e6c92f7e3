# The disk of most of these is in memory: tests/files/simulated_files.h.
set(simulated_disk tests/files/disk.cpp tests/files/simulated_files.cpp
  tests/checkpoint/shards.cpp tests/checkpoint/story.cpp)

knead_test(checkpoint_test
  SOURCES
    tests/checkpoint/damage_test.cpp tests/checkpoint/history_test.cpp tests/checkpoint/join_test.cpp
    tests/checkpoint/manifest_test.cpp tests/checkpoint/rotation_test.cpp tests/checkpoint/shared_save_test.cpp
    tests/checkpoint/store_test.cpp tests/checkpoint/tensor_reader_test.cpp
    tests/checkpoint/weights_files_test.cpp tests/checkpoint/writer_test.cpp
    ${simulated_disk}
  LIBRARIES checkpoint_checked ${RAPIDCHECK})

# Exhaustive ones, each a program, so that they run side by side.
foreach(proof kill power_cut fault)
  knead_test(checkpoint_${proof}_test
    SOURCES tests/checkpoint/${proof}_test.cpp ${simulated_disk} LIBRARIES checkpoint_checked)
  # They make millions of small objects: where each was made need not be remembered.
  set_tests_properties(checkpoint_${proof}_test PROPERTIES ENVIRONMENT ASAN_OPTIONS=malloc_context_size=0)
endforeach()

# The writer once more, with ThreadSanitizer in all of it.
set(checkpoint_sources)
foreach(room checkpoint files trace)
  get_target_property(names ${room} SOURCES)
  get_target_property(folder ${room} SOURCE_DIR)
  list(TRANSFORM names PREPEND ${folder}/)
  list(APPEND checkpoint_sources ${names})
endforeach()
add_executable(checkpoint_threads_test
  tests/checkpoint/writer_test.cpp ${simulated_disk} ${checkpoint_sources}
  schema/document/byte_words.cpp schema/document/json_text.cpp schema/document/regular_file.cpp
  schema/document/shown_text.cpp schema/document/standard_streams.cpp)
target_compile_options(checkpoint_threads_test PRIVATE -fsanitize=thread -O1 -g1 -UNDEBUG)
target_link_options(checkpoint_threads_test PRIVATE -fsanitize=thread)
target_link_libraries(checkpoint_threads_test PRIVATE
  catch_main fmt::fmt nlohmann_json::nlohmann_json ${XXHASH} Threads::Threads)
add_dependencies(tests checkpoint_threads_test)
add_test(NAME checkpoint_threads_test COMMAND checkpoint_threads_test)

# The fuzz target of manifests, states and journals on its corpus and on random mutations of it.
add_executable(runs_replay tests/fuzz/runs_fuzz.cpp tests/fuzz/replay.cpp)
target_compile_options(runs_replay PRIVATE ${sanitize} -UNDEBUG)
target_link_options(runs_replay PRIVATE ${sanitize})
target_link_libraries(runs_replay PRIVATE checkpoint_checked track_checked)
add_dependencies(tests runs_replay)
add_test(NAME runs_replay COMMAND runs_replay 1000 ${CMAKE_SOURCE_DIR}/tests/fuzz/runs)
# An allocation that no budget allows is a failure.
set_tests_properties(runs_replay PROPERTIES ENVIRONMENT ASAN_OPTIONS=max_allocation_size_mb=600)
