knead_test(syntax_test
  SOURCES
    tests/syntax/binding_test.cpp tests/syntax/blocks_test.cpp tests/syntax/builtin_names_test.cpp
    tests/syntax/classes_test.cpp tests/syntax/literals_test.cpp
    tests/syntax/parse_test.cpp tests/syntax/statement_names_test.cpp
    tests/syntax/unknown_names_test.cpp tests/syntax/wrong_files_test.cpp tests/syntax/dump.cpp
    tests/bad_recipes/header.cpp
  LIBRARIES syntax_checked syntax_binding_checked syntax_names_checked)

# The fuzz target on all sources of the repository and on random mutations of them.
add_executable(source_replay tests/fuzz/source_fuzz.cpp tests/fuzz/replay.cpp)
target_compile_options(source_replay PRIVATE ${sanitize} -UNDEBUG)
target_link_options(source_replay PRIVATE ${sanitize})
target_link_libraries(source_replay PRIVATE syntax_checked schema_checked schema_print_checked)
add_dependencies(tests source_replay)
add_test(NAME source_replay
  COMMAND source_replay 5000 ${CMAKE_SOURCE_DIR}/models ${CMAKE_SOURCE_DIR}/tests/syntax
    ${CMAKE_SOURCE_DIR}/tests/interop)
