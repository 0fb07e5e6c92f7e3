# Runs that the rooms below made, in folders of the real disk.
knead_test(run_test
  SOURCES
    tests/run/overview_test.cpp
  LIBRARIES run_checked)
