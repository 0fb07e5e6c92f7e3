# knead_engine_test(name SOURCES file… [LIBRARIES library…]): a Catch2 program with LibTorch, without sanitizers. Its
# files are never joined: LibTorch and Catch2 both define CHECK, and each file takes the one away.
function(knead_engine_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_compile_definitions(${name} PRIVATE KNEAD_ROOT="${CMAKE_SOURCE_DIR}" KNEAD_BUILD="${CMAKE_BINARY_DIR}")
  target_link_libraries(${name} PRIVATE catch_main engine_verbs ${arg_LIBRARIES} torch)
  headers_first(${name} torch_tests)
  set_target_properties(${name} PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib JOB_POOL_COMPILE torch_jobs)
  add_dependencies(tests ${name})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# Whether this processor rounds as the one that numbers were recorded on.
add_library(processor_probe STATIC tests/engine/processor_probe.cpp)
target_compile_definitions(processor_probe PRIVATE KNEAD_ROOT="${CMAKE_SOURCE_DIR}")
target_link_libraries(processor_probe PUBLIC files sha256 torch)
set_target_properties(processor_probe PROPERTIES JOB_POOL_COMPILE torch_jobs)

# What tools/record_forward wrote, and models held against it.
add_library(recorded_forward STATIC tests/engine/compare_forward.cpp tests/engine/recorded_models.cpp)
target_link_libraries(recorded_forward PUBLIC engine_verbs processor_probe nlohmann_json::nlohmann_json torch)
set_target_properties(recorded_forward PROPERTIES JOB_POOL_COMPILE torch_jobs)

knead_engine_test(engine_corpus_test
  SOURCES tests/engine/corpus_test.cpp LIBRARIES recorded_forward)
knead_engine_test(engine_evaluate_test
  SOURCES tests/engine/evaluate_test.cpp tests/engine/evaluate_refusal_test.cpp LIBRARIES processor_probe nlohmann_json::nlohmann_json)
add_executable(save_archives tests/engine/save_archives.cpp)
target_link_libraries(save_archives PRIVATE engine_verbs torch)
set_target_properties(save_archives PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib JOB_POOL_COMPILE torch_jobs)
add_dependencies(tests save_archives)
add_executable(compare_models tests/engine/compare_models.cpp)
target_link_libraries(compare_models PRIVATE recorded_forward)
set_target_properties(compare_models PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib JOB_POOL_COMPILE torch_jobs)
add_dependencies(tests compare_models)
interop_test(forward $<TARGET_FILE:compare_models> ${CMAKE_SOURCE_DIR})
interop_test(compiled $<TARGET_FILE:save_archives> ${CMAKE_SOURCE_DIR}/tests/models/corpus)

knead_engine_test(engine_model_test
  SOURCES tests/engine/archive_test.cpp tests/engine/model_output_test.cpp tests/engine/trace_test.cpp)

# For tests that call the engine hundreds of times: tests/launch/waiting_engine.sh.
add_executable(waiting_engine tests/launch/waiting_engine.cpp)
target_link_libraries(waiting_engine PRIVATE engine_verbs)
set_target_properties(waiting_engine PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib)
add_executable(ask_engine tests/launch/ask_engine.cpp)
add_dependencies(tests waiting_engine ask_engine)

add_library(fake_driver SHARED tests/engine/fake_driver.cpp)
set_target_properties(fake_driver PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fake_driver OUTPUT_NAME cuda SUFFIX .so.1)
add_dependencies(tests fake_driver)

add_test(NAME engine_driver
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/engine/driver_test.sh
    ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})

knead_engine_test(engine_resume_test
  SOURCES
    tests/engine/invariance_test.cpp tests/engine/kernels_test.cpp tests/engine/profile_test.cpp tests/engine/recompute_test.cpp tests/engine/resume_kinds_test.cpp tests/engine/resume_models_test.cpp tests/engine/resume_test.cpp tests/engine/short_run.cpp
  LIBRARIES engine_verbs)
target_include_directories(engine_resume_test SYSTEM PRIVATE ${KNEAD_TORCH}/include/kineto)  # what Kineto's results are made of
# A process of its own: what it registers with LibTorch stays.
knead_engine_test(engine_device_test
  SOURCES tests/engine/device_test.cpp tests/engine/device_steps_test.cpp tests/engine/second_autocast.cpp tests/engine/second_device.cpp tests/engine/spinning_test.cpp tests/engine/short_run.cpp LIBRARIES engine_verbs)
knead_engine_test(update_test
  SOURCES
    tests/engine/average_test.cpp tests/engine/clip_test.cpp tests/engine/groups_test.cpp tests/engine/loss_cut_test.cpp tests/engine/loss_test.cpp tests/engine/metric_test.cpp tests/engine/optimizer_test.cpp tests/engine/torch_losses_test.cpp
    tests/engine/recorded.cpp
  LIBRARIES processor_probe)
knead_engine_test(engine_plan_test
  SOURCES tests/engine/module_words_test.cpp tests/engine/rehearse_test.cpp tests/engine/work_test.cpp LIBRARIES engine_verbs)
knead_engine_test(engine_weights_test SOURCES tests/engine/weights_test.cpp LIBRARIES engine_verbs)
