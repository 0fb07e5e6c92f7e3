# The programs as a person and as another program see them.
knead_test(front_json_test
  SOURCES tests/front/json_test.cpp
  LIBRARIES nlohmann_json::nlohmann_json)
add_dependencies(front_json_test knead)
knead_test(front_runs_test
  SOURCES tests/front/runs_test.cpp
  LIBRARIES run_checked)
add_dependencies(front_runs_test knead-checked)

knead_test(launch_test
  SOURCES tests/launch/clusters_test.cpp tests/launch/last_lines_test.cpp tests/launch/rank_environment_test.cpp
    tests/launch/verdict_test.cpp tests/launch/warm_engine_test.cpp tests/launch/words_test.cpp
  LIBRARIES launch_checked launch_clusters_checked)
add_executable(small_engine tests/launch/small_engine.cpp)
target_link_libraries(small_engine PRIVATE launch)
add_dependencies(launch_test small_engine)

# Everything twice: the program that is shipped, and the one with sanitizers.
foreach(program knead knead-checked)
  add_test(NAME front_of_${program}
    COMMAND bash ${CMAKE_SOURCE_DIR}/tests/front/front_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/${program})
  add_test(NAME transcripts_of_${program}
    COMMAND bash ${CMAKE_SOURCE_DIR}/tests/front/transcript_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests/front
      ${CMAKE_BINARY_DIR}/${program})
  add_test(NAME launch_of_${program}
    COMMAND bash ${CMAKE_SOURCE_DIR}/tests/launch/launch_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/${program})
  add_test(NAME ranks_of_${program}
    COMMAND bash ${CMAKE_SOURCE_DIR}/tests/launch/ranks_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/${program})
endforeach()

add_test(NAME front_completion
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/front/completion_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/knead)
add_test(NAME front_new
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/front/new_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/knead)
