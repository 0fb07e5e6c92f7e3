knead_test(schema_test
  SOURCES
    tests/schema/scalar_test.cpp
  LIBRARIES schema_checked)
