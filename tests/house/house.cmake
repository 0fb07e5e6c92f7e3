# The rules of the house, kept by scripts.
foreach(rule layers keys sources recipes models schemagen)
  add_test(NAME house_${rule}
    COMMAND bash ${CMAKE_SOURCE_DIR}/tests/house/${rule}_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
endforeach()
