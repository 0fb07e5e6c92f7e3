knead_test(board_test
  SOURCES
    tests/board/chart_test.cpp tests/board/glance_test.cpp tests/board/keys_test.cpp tests/board/length_of_run_test.cpp
    tests/board/line_test.cpp tests/board/page_test.cpp tests/board/raster_test.cpp tests/board/screen_test.cpp tests/board/written_run.cpp
  LIBRARIES board_terminal_checked util)
add_dependencies(board_test knead-checked)
