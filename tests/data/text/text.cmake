knead_test(text_test
  SOURCES
    tests/data/text/characters_test.cpp tests/data/text/text_sets_test.cpp tests/data/text/token_files_test.cpp
    tests/data/text/token_windows_test.cpp
  LIBRARIES data_checked)

knead_test(bpe_test SOURCES tests/data/bpe/bpe_test.cpp LIBRARIES data_checked)
