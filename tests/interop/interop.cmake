# With other programs: `tools/test --interop` makes the Python that these run with.
add_executable(tree_as_json tests/interop/tree_as_json.cpp)
target_link_libraries(tree_as_json PRIVATE schema_document)
add_dependencies(tests tree_as_json)

function(interop_test name)
  add_test(NAME interop_${name}
    COMMAND bash -c "exec \"$KNEAD_INTEROP_PYTHON\" \"$@\"" python ${CMAKE_SOURCE_DIR}/tests/interop/${name}_test.py ${ARGN})
  # Else MKL rounds by where numbers lie in memory, on processors that are not Intel's.
  set_tests_properties(interop_${name} PROPERTIES LABELS interop ENVIRONMENT MKL_CBWR=AUTO)
endfunction()

interop_test(scalars $<TARGET_FILE:tree_as_json>)
interop_test(board $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
interop_test(schema $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
interop_test(formats $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
interop_test(pre_commit ${CMAKE_BINARY_DIR}/package/dist ${CMAKE_SOURCE_DIR})
interop_test(ci ${CMAKE_SOURCE_DIR} $<TARGET_FILE:knead>)
interop_test(images ${CMAKE_SOURCE_DIR})
interop_test(models ${CMAKE_SOURCE_DIR})
interop_test(precision $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
interop_test(training ${CMAKE_SOURCE_DIR})
if(KNEAD_TORCH)
  interop_test(gpt $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
  interop_test(numbers $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
  interop_test(tensorboard $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
  interop_test(profile $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
  interop_test(report $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
  add_test(NAME interop_trackers
    COMMAND bash -c "exec \"$KNEAD_INTEROP_PYTHON\" \"$@\" \"$KNEAD_INTEROP_TRACKERS\"" python
      ${CMAKE_SOURCE_DIR}/tests/interop/trackers_test.py $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
  set_tests_properties(interop_trackers PROPERTIES LABELS interop)
  add_test(NAME interop_launchers
    COMMAND bash -c "exec bash \"$@\" \"$KNEAD_INTEROP_PYTHON\"" bash ${CMAKE_SOURCE_DIR}/tests/interop/launchers_test.sh
      ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  set_tests_properties(interop_launchers PROPERTIES LABELS interop)
endif()
interop_test(weights $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
interop_test(kubernetes $<TARGET_FILE:knead> ${CMAKE_SOURCE_DIR})
add_test(NAME interop_slurm
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/interop/slurm_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
set_tests_properties(interop_slurm PROPERTIES LABELS interop)

add_test(NAME interop_slurm_sweep
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/interop/slurm_sweep_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
set_tests_properties(interop_slurm_sweep PROPERTIES LABELS interop)

add_executable(syntax_as_json tests/interop/syntax_as_json.cpp)
target_link_libraries(syntax_as_json PRIVATE syntax)
add_dependencies(tests syntax_as_json)
interop_test(syntax $<TARGET_FILE:syntax_as_json>)

add_executable(safetensors_copy tests/interop/safetensors_copy.cpp)
target_link_libraries(safetensors_copy PRIVATE files)
add_dependencies(tests safetensors_copy)
interop_test(safetensors $<TARGET_FILE:safetensors_copy>)

add_executable(sweep_texts tests/interop/sweep_texts.cpp)
target_link_libraries(sweep_texts PRIVATE sweep_output)
add_dependencies(tests sweep_texts)
interop_test(sweep_texts $<TARGET_FILE:sweep_texts>)

if(TARGET data_sets)
  add_executable(encode_text tests/interop/encode_text.cpp)
  target_link_libraries(encode_text PRIVATE data_sets)
  add_dependencies(tests encode_text)
  interop_test(tokenizers $<TARGET_FILE:encode_text> ${CMAKE_SOURCE_DIR})

  add_executable(array_as_json tests/interop/array_as_json.cpp)
  target_link_libraries(array_as_json PRIVATE data_sets)
  add_dependencies(tests array_as_json)
  interop_test(arrays $<TARGET_FILE:array_as_json>)
endif()
