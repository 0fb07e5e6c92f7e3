# Files of other trainers as recipes.
knead_test(peers_test SOURCES tests/peers/peers_test.cpp tests/peers/ranks_test.cpp tests/peers/real_files_test.cpp
  tests/peers/strangers_test.cpp tests/peers/strategy_test.cpp tests/peers/unplaced_test.cpp
  LIBRARIES peers_checked schema_checked schema_print_checked)

foreach(program knead knead-checked)
  add_test(NAME import_of_${program}
    COMMAND bash ${CMAKE_SOURCE_DIR}/tests/front/transcript_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests/peers
      ${CMAKE_BINARY_DIR}/${program})
endforeach()
