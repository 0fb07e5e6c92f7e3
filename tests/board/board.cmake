knead_test(board_test
  SOURCES
    tests/board/board_pages_test.cpp tests/board/chart_test.cpp tests/board/gate_test.cpp tests/board/glance_test.cpp
    tests/board/keys_test.cpp tests/board/length_of_run_test.cpp tests/board/line_test.cpp tests/board/page_test.cpp
    tests/board/raster_test.cpp tests/board/screen_test.cpp tests/board/written_run.cpp
  LIBRARIES board_server_checked board_terminal_checked util)
add_dependencies(board_test knead-checked)
foreach(program knead knead-checked)
  add_test(NAME board_of_${program}
    COMMAND bash ${CMAKE_SOURCE_DIR}/tests/board/board_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/${program})
endforeach()
