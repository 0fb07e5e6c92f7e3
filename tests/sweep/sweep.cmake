knead_test(sweep_output_test
  SOURCES
    tests/sweep/output/journal_test.cpp tests/sweep/output/outcome_test.cpp tests/sweep/output/reports_test.cpp
    tests/sweep/output/tables_test.cpp
  LIBRARIES sweep_output_checked)

# Who is proposed, who goes on, what is noted, without an engine.
knead_test(sweep_test
  SOURCES
    tests/sweep/agenda_test.cpp tests/sweep/pool_test.cpp
  LIBRARIES sweep_checked)
