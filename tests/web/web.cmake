knead_test(exchange_test
  SOURCES tests/web/exchange_test.cpp
  LIBRARIES web_checked httplib)

# The fuzz target on its corpus and on random mutations of it.
add_executable(answers_replay tests/fuzz/answers_fuzz.cpp tests/fuzz/replay.cpp)
target_compile_options(answers_replay PRIVATE ${sanitize} -UNDEBUG)
target_link_options(answers_replay PRIVATE ${sanitize})
target_link_libraries(answers_replay PRIVATE web_checked)
add_dependencies(tests answers_replay)
add_test(NAME answers_replay COMMAND answers_replay 3000 ${CMAKE_SOURCE_DIR}/tests/fuzz/answers)
