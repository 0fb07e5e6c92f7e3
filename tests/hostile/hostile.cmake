# What a stranger's file can do: a share of the hostile cases on every commit, all of them by `tests/hostile/judge build/knead`.
# Machines of other speeds and other tests beside it get three times as long.
add_test(NAME hostile
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/hostile/judge ${CMAKE_BINARY_DIR}/knead --share 1/40 --seconds 30)
