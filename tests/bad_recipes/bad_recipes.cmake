knead_test(bad_recipes_test
  SOURCES
    tests/bad_recipes/bad_recipes_test.cpp
    tests/bad_recipes/header.cpp
  LIBRARIES schema_checked)

knead_test(mutation_test
  SOURCES
    tests/schema/mutation_test.cpp tests/schema/mutations.cpp
    tests/bad_recipes/recipe_keys.cpp
  LIBRARIES schema_checked)
