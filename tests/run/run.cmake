# Runs that the rooms below made, in folders of the real disk.
knead_test(run_test
  SOURCES
    tests/run/baseline_test.cpp tests/run/best_checkpoint_test.cpp tests/run/notice_test.cpp tests/run/overview_test.cpp tests/run/progress_test.cpp
    tests/run/weights_origin_test.cpp tests/checkpoint/shards.cpp
  LIBRARIES run_checked)
