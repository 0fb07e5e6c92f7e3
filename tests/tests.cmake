# All test programs hang below the target `tests`; tools/test builds it and runs ctest. What is free of LibTorch is
# tested with AddressSanitizer and UndefinedBehaviorSanitizer: its libraries exist a second time as <part>_checked, and
# the front as the program knead-checked.
add_custom_target(tests)

set(sanitize ${KNEAD_OPTIONS_checked})
add_executable(knead-checked runner/front/main.cpp)
link_rooms(knead-checked checked front)
target_compile_definitions(knead-checked PRIVATE ${knead_definitions})
headers_first(knead-checked checked)
target_link_options(knead-checked PRIVATE ${sanitize})
add_dependencies(tests knead knead-checked)

add_library(catch_main STATIC tests/main.cpp)
target_compile_options(catch_main PRIVATE -O0)  # takes 17 s optimised

# knead_test(name SOURCES file… LIBRARIES library…): a Catch2 program with sanitizers.
function(knead_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  headers_first(${name} tests)
  target_link_options(${name} PRIVATE ${sanitize})
  target_compile_definitions(${name} PRIVATE KNEAD_ROOT="${CMAKE_SOURCE_DIR}" KNEAD_BUILD="${CMAKE_BINARY_DIR}")
  target_link_libraries(${name} PRIVATE catch_main ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${KNEAD_JOINED} UNITY_BUILD_BATCH_SIZE ${KNEAD_UNIT})
  add_dependencies(tests ${name})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

add_test(NAME bootstrap
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/bootstrap/build_script_test.sh ${CMAKE_SOURCE_DIR})

include(tests/schema/schema.cmake)
include(tests/syntax/syntax.cmake)
include(tests/bad_recipes/bad_recipes.cmake)
include(tests/track/track.cmake)
include(tests/weights/weights.cmake)
include(tests/run/run.cmake)
include(tests/report/report.cmake)
include(tests/sweep/sweep.cmake)
include(tests/sweep/search/search.cmake)
include(tests/front/front.cmake)
include(tests/peers/peers.cmake)
include(tests/house/house.cmake)
include(tests/interop/interop.cmake)
include(tests/package/package.cmake)
if(KNEAD_TORCH)
  include(tests/engine/engine.cmake)
  include(tests/end_to_end/end_to_end.cmake)
  include(tests/models/models.cmake)
endif()
include(tests/files/files.cmake)
include(tests/checkpoint/checkpoint.cmake)
if(has_data_libraries)
  include(tests/rendezvous/rendezvous.cmake)
  include(tests/data/arrays/arrays.cmake)
  include(tests/data/web/web.cmake)
  include(tests/data/text/text.cmake)
endif()
