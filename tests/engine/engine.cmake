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
add_library(recorded_forward STATIC tests/engine/model/compare_forward.cpp tests/engine/model/recorded_models.cpp)
target_link_libraries(recorded_forward PUBLIC engine_verbs processor_probe nlohmann_json::nlohmann_json torch)
set_target_properties(recorded_forward PROPERTIES JOB_POOL_COMPILE torch_jobs)

knead_engine_test(engine_corpus_test
  SOURCES tests/engine/model/corpus_test.cpp LIBRARIES recorded_forward)
knead_engine_test(engine_evaluate_test
  SOURCES
    tests/engine/model/evaluate_test.cpp
    tests/engine/model/evaluate_refusal_test.cpp
    tests/engine/model/python_rules_test.cpp
  LIBRARIES processor_probe nlohmann_json::nlohmann_json)
add_executable(save_archives tests/engine/model/save_archives.cpp)
target_link_libraries(save_archives PRIVATE engine_verbs torch)
set_target_properties(save_archives PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib JOB_POOL_COMPILE torch_jobs)
add_dependencies(tests save_archives)
add_executable(compare_models tests/engine/model/compare_models.cpp)
target_link_libraries(compare_models PRIVATE recorded_forward)
set_target_properties(compare_models PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib JOB_POOL_COMPILE torch_jobs)
add_dependencies(tests compare_models)
# For tests/gpu.
add_executable(models_on_device tests/engine/device/models_on_device.cpp)
target_link_libraries(models_on_device PRIVATE recorded_forward engine_job)
set_target_properties(models_on_device PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib JOB_POOL_COMPILE torch_jobs)
add_dependencies(tests models_on_device)
interop_test(forward $<TARGET_FILE:compare_models> ${CMAKE_SOURCE_DIR})
interop_test(compiled $<TARGET_FILE:save_archives> ${CMAKE_SOURCE_DIR}/tests/models/corpus)
interop_test(einops $<TARGET_FILE:save_archives>)

knead_engine_test(engine_numpy_test
  SOURCES tests/engine/model/numpy_test.cpp tests/engine/model/numpy_snippets.cpp
  LIBRARIES nlohmann_json::nlohmann_json)
add_executable(numpy_results
  tests/engine/model/numpy_results.cpp tests/engine/model/numpy_snippets.cpp)
target_link_libraries(numpy_results PRIVATE engine_verbs nlohmann_json::nlohmann_json torch)
set_target_properties(numpy_results PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib JOB_POOL_COMPILE torch_jobs)
add_dependencies(tests numpy_results)
interop_test(numpy $<TARGET_FILE:numpy_results> ${CMAKE_SOURCE_DIR})

knead_engine_test(engine_model_test
  SOURCES
    tests/engine/model/archive_test.cpp
    tests/engine/model/bounds_test.cpp
    tests/engine/model/compile_test.cpp
    tests/engine/batch/model_output_test.cpp
    tests/engine/model/permission_test.cpp
    tests/engine/model/trace_test.cpp)

# For tests that call the engine hundreds of times: tests/launch/waiting_engine.sh.
add_executable(waiting_engine tests/launch/waiting_engine.cpp)
target_link_libraries(waiting_engine PRIVATE engine_verbs)
set_target_properties(waiting_engine PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib)
add_executable(ask_engine tests/launch/ask_engine.cpp)
add_executable(warm_calls tests/launch/warm_calls.cpp)
target_link_libraries(warm_calls PRIVATE launch)
add_dependencies(tests waiting_engine ask_engine warm_calls)

add_library(fake_driver SHARED tests/engine/device/fake_driver.cpp)
set_target_properties(fake_driver PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fake_driver OUTPUT_NAME cuda SUFFIX .so.1)
add_dependencies(tests fake_driver)

add_test(NAME engine_driver
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/engine/device/driver_test.sh
    ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})

knead_engine_test(engine_resume_test
  SOURCES
    tests/engine/step/invariance_test.cpp
    tests/engine/profile/kernels_test.cpp
    tests/engine/profile/profile_test.cpp
    tests/engine/job/recompute_test.cpp
    tests/engine/train/resume_kinds_test.cpp
    tests/engine/train/resume_models_test.cpp
    tests/engine/train/resume_test.cpp
    tests/engine/train/short_run.cpp
  LIBRARIES engine_verbs)
target_include_directories(engine_resume_test SYSTEM PRIVATE ${KNEAD_TORCH}/include/kineto)  # what Kineto's results are made of
# A process of its own: what it registers with LibTorch stays.
knead_engine_test(engine_device_test
  SOURCES
    tests/engine/device/device_test.cpp
    tests/engine/device/device_steps_test.cpp
    tests/engine/device/known_peak_test.cpp
    tests/engine/device/late_stream.cpp
    tests/engine/device/second_autocast.cpp
    tests/engine/device/second_device.cpp
    tests/engine/device/spinning_test.cpp
    tests/engine/train/short_run.cpp
  LIBRARIES engine_verbs)
knead_engine_test(update_test
  SOURCES
    tests/engine/optimize/average_test.cpp
    tests/engine/optimize/clip_test.cpp
    tests/engine/optimize/groups_test.cpp
    tests/engine/optimize/offload_test.cpp
    tests/engine/losses/loss_cut_test.cpp
    tests/engine/losses/loss_test.cpp
    tests/engine/metrics/metric_test.cpp
    tests/engine/optimize/optimizer_test.cpp
    tests/engine/predictions/judged_test.cpp
    tests/engine/predictions/tally_test.cpp
    tests/engine/tensor/scratch_tensors_test.cpp
    tests/engine/losses/torch_losses_test.cpp
    tests/engine/recorded.cpp
  LIBRARIES processor_probe)
knead_engine_test(engine_parallel_test
  SOURCES
    tests/engine/parallel/exchange_test.cpp
    tests/engine/parallel/gloo_test.cpp
    tests/engine/parallel/gradients_test.cpp
    tests/engine/parallel/group_test.cpp
    tests/engine/parallel/in_ranks.cpp
    tests/engine/parallel/shards_test.cpp
    tests/engine/parallel/shared_sums_test.cpp)
knead_engine_test(engine_shards_test
  SOURCES
    tests/engine/train/shards_test.cpp
    tests/engine/train/short_run.cpp
  LIBRARIES engine_verbs)
knead_engine_test(engine_plan_test
  SOURCES
    tests/engine/model/einops_test.cpp
    tests/engine/model/module_words_test.cpp
    tests/engine/rehearse/rehearse_test.cpp
    tests/engine/model/work_test.cpp
    tests/engine/verbs/bench_report_test.cpp
    tests/engine/verbs/call_test.cpp
  LIBRARIES engine_verbs)
knead_engine_test(engine_weights_test
  SOURCES tests/engine/job/weights_test.cpp tests/checkpoint/shards.cpp LIBRARIES engine_verbs)
include(tests/engine/cuda/cuda.cmake)

# Models of broken source: what tests/engine/model/model_fuzz.cpp found once is replayed.
add_executable(model_fuzz tests/engine/model/model_fuzz.cpp)
target_link_libraries(model_fuzz PRIVATE engine_verbs torch)
set_target_properties(model_fuzz PROPERTIES BUILD_RPATH ${KNEAD_TORCH}/lib JOB_POOL_COMPILE torch_jobs)
add_dependencies(tests model_fuzz)
add_test(NAME model_replay COMMAND model_fuzz ${CMAKE_SOURCE_DIR}/tests/fuzz/models 0)
