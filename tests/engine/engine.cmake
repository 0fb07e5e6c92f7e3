add_library(fake_driver SHARED tests/engine/fake_driver.cpp)
set_target_properties(fake_driver PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fake_driver OUTPUT_NAME cuda SUFFIX .so.1)
add_dependencies(tests fake_driver)

add_test(NAME engine_driver
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/engine/driver_test.sh
    ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${KNEAD_TORCH})
