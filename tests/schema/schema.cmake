find_package(Threads REQUIRED)

knead_test(schema_test
  SOURCES
    tests/schema/catalog_test.cpp tests/schema/document_test.cpp tests/schema/environment_test.cpp tests/schema/glob_test.cpp tests/schema/merge_test.cpp
    tests/schema/quantity_test.cpp tests/schema/render_test.cpp tests/schema/scalar_test.cpp tests/schema/shown_text_test.cpp tests/schema/suggest_test.cpp
    tests/schema/trajectory_test.cpp tests/schema/variations_test.cpp tests/schema/yaml_text_test.cpp
  LIBRARIES schema_checked schema_print_checked ${RAPIDCHECK} Threads::Threads)

knead_test(plan_test
  SOURCES
    tests/plan/decide_test.cpp tests/plan/draw_token_test.cpp tests/plan/due_test.cpp tests/plan/end_rule_test.cpp tests/plan/expectations_test.cpp tests/plan/loss_scale_test.cpp tests/plan/order_test.cpp tests/plan/resolve_test.cpp tests/plan/schedule_test.cpp
    tests/plan/rank_memory_test.cpp
    tests/plan/shards_test.cpp
    tests/plan/unit_forecast_test.cpp
    tests/plan/windows_test.cpp
  LIBRARIES plan_checked schema_checked)

# The fuzz target on its corpus and on random mutations of it; tools/fuzz lets libFuzzer search.
add_executable(fuzz_replay tests/fuzz/recipe_fuzz.cpp tests/fuzz/replay.cpp)
target_compile_options(fuzz_replay PRIVATE ${sanitize} -UNDEBUG)
target_link_options(fuzz_replay PRIVATE ${sanitize})
target_link_libraries(fuzz_replay PRIVATE schema_checked schema_print_checked)
add_dependencies(tests fuzz_replay)
add_test(NAME fuzz_replay
  COMMAND fuzz_replay 3000 ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus ${CMAKE_SOURCE_DIR}/recipes
    ${CMAKE_SOURCE_DIR}/tests/bad_recipes)
# Where all is tested, a minute of it; in a folder of its own, because it notes its last input.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz_minute)
add_test(NAME fuzz_minute
  COMMAND fuzz_replay 60s ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus ${CMAKE_SOURCE_DIR}/recipes
    ${CMAKE_SOURCE_DIR}/tests/bad_recipes ${CMAKE_SOURCE_DIR}/tests/schema/full
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz_minute)
set_tests_properties(fuzz_minute PROPERTIES LABELS interop)

knead_test(data_test SOURCES tests/data/batches_test.cpp tests/data/csv_test.cpp tests/data/mix_test.cpp tests/data/paths_test.cpp tests/data/sets_test.cpp tests/plan/mix_draw_test.cpp LIBRARIES data_sets_checked schema_checked)
