# Folders of runs on the real disk, hostile ones too, and the pages that are made of them.
knead_test(report_test
  SOURCES
    tests/report/contained_files_test.cpp tests/report/curves_test.cpp tests/report/followed_run_test.cpp
    tests/report/growing_lines_test.cpp tests/report/importance_test.cpp tests/report/page_test.cpp
    tests/report/reported_sweep_test.cpp tests/report/scale_test.cpp tests/report/stored_recipe_test.cpp
    tests/report/thinned_series_test.cpp
  LIBRARIES report_checked)
