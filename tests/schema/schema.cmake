find_package(Threads REQUIRED)
find_library(RAPIDCHECK rapidcheck REQUIRED)

knead_test(schema_test
  SOURCES
    tests/schema/document_test.cpp tests/schema/environment_test.cpp tests/schema/merge_test.cpp
    tests/schema/quantity_test.cpp tests/schema/scalar_test.cpp tests/schema/suggest_test.cpp
    tests/schema/yaml_text_test.cpp
  LIBRARIES schema_checked ${RAPIDCHECK})

knead_test(plan_test SOURCES tests/plan/resolve_test.cpp LIBRARIES plan_checked schema_checked)
knead_test(files_test SOURCES tests/files/digest_test.cpp LIBRARIES files_checked)
