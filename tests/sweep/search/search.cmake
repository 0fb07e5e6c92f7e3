knead_test(sweep_search_test
  SOURCES
    tests/sweep/search/coordinate_test.cpp tests/sweep/search/elementary_test.cpp tests/sweep/search/grid_test.cpp
    tests/sweep/search/points_test.cpp tests/sweep/search/prune_test.cpp tests/sweep/search/tpe_test.cpp
  LIBRARIES sweep_search_checked ${RAPIDCHECK})

# Answers tools/compare/searches.
add_executable(propose_points EXCLUDE_FROM_ALL tests/sweep/search/propose_points.cpp)
link_rooms(propose_points plain sweep/search)
