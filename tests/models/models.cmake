# What a person reads who has a mistake in a model, to the character, and that lint, plan and run say the same.
add_test(NAME models_mistakes
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/front/transcript_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests/models/mistakes
    ${CMAKE_BINARY_DIR}/knead)
