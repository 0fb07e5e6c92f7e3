knead_test(text_test
  SOURCES
    tests/data/text/characters_test.cpp tests/data/text/text_sets_test.cpp tests/data/text/token_files_test.cpp
    tests/data/text/token_windows_test.cpp
  LIBRARIES data_sets_checked)

# Links only the room, so that a symbol of a room that it does not need is an error.
knead_test(bpe_test SOURCES tests/data/bpe/bpe_test.cpp tests/data/bpe/decoder_test.cpp tests/data/bpe/pattern_test.cpp LIBRARIES data_bpe_checked)

# The fuzz target of text, tokens and tokenizers on its corpus and on random mutations of it.
add_executable(text_replay tests/fuzz/text_fuzz.cpp tests/fuzz/replay.cpp)
target_compile_options(text_replay PRIVATE ${sanitize} -UNDEBUG)
target_link_options(text_replay PRIVATE ${sanitize})
target_link_libraries(text_replay PRIVATE data_sets_checked)
add_dependencies(tests text_replay)
add_test(NAME text_replay COMMAND text_replay 1000 ${CMAKE_SOURCE_DIR}/tests/fuzz/text)
# An allocation that no budget allows is a failure.
set_tests_properties(text_replay PROPERTIES ENVIRONMENT ASAN_OPTIONS=max_allocation_size_mb=600)
