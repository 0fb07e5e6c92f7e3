knead_test(sweep_search_test
  SOURCES
    tests/sweep/search/coordinate_test.cpp tests/sweep/search/elementary_test.cpp tests/sweep/search/grid_test.cpp
    tests/sweep/search/points_test.cpp tests/sweep/search/prune_test.cpp
  LIBRARIES sweep_search_checked ${RAPIDCHECK})
