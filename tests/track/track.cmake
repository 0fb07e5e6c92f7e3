knead_test(track_test
  SOURCES
    tests/track/console_test.cpp tests/track/console_texts_test.cpp tests/track/journal_test.cpp tests/track/log_test.cpp tests/track/short_text_test.cpp tests/track/spool_test.cpp tests/track/terminal_test.cpp
    tests/track/time_table_test.cpp tests/track/timeline_test.cpp tests/track/tracker_test.cpp tests/track/watch_test.cpp
  LIBRARIES track_checked)
knead_test(track_sinks_test
  SOURCES tests/track/sinks/file_sinks_test.cpp tests/track/sinks/formats_test.cpp
  LIBRARIES track_sinks_checked)
