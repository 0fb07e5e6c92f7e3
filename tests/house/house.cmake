# The rules of the house, kept by scripts.
set(rules layers keys sources recipes models schemagen configure)
if(KNEAD_JOINED)
  list(APPEND rules alone)
endif()
foreach(rule IN LISTS rules)
  add_test(NAME house_${rule}
    COMMAND bash ${CMAKE_SOURCE_DIR}/tests/house/${rule}_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
endforeach()
if(KNEAD_JOINED)
  set_tests_properties(house_alone PROPERTIES RESOURCE_LOCK build_tree)  # it calls ninja
endif()
