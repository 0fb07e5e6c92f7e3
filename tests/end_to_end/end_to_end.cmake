# Whole runs, each a new process, as users start them.
foreach(name exact_resume resume_kinds known_numbers killed damage recipes weights scripts evaluate evaluate_ranks generate
  texts predictions utilization surroundings secrets tls
  stopped_early finished offload ranks machines faults crowd shared_saves sweep units warm report mlflow notify)
  add_test(NAME end_to_end_${name}
    COMMAND bash ${CMAKE_SOURCE_DIR}/tests/end_to_end/${name}_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
endforeach()

# What is broken is said in one clear message: csv files, models, folders, disks, numbers.
add_test(NAME end_to_end_broken
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/front/transcript_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests/end_to_end/broken
    ${CMAKE_BINARY_DIR}/knead)

# What plan and bench print, beside copies of the recipes that users have.
add_test(NAME end_to_end_plan
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/front/transcript_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests/end_to_end/plan
    ${CMAKE_BINARY_DIR}/knead)

# The digits in every format that data comes in.
add_test(NAME end_to_end_arrays
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/end_to_end/arrays_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
