# The packages, as a machine without a compiler and without this clone sees them.

# package_test(NAME ARGUMENTS…): tests/package/NAME_test.sh on what tools/package made.
set(packages ${CMAKE_BINARY_DIR}/package/dist)
function(package_test name)
  add_test(NAME package_${name} COMMAND bash ${CMAKE_SOURCE_DIR}/tests/package/${name}_test.sh ${ARGN})
  set_tests_properties(package_${name} PROPERTIES LABELS interop FIXTURES_REQUIRED packages)
endfunction()

set(which)
if(NOT KNEAD_TORCH)
  set(which --front)
endif()
add_test(NAME package_make COMMAND ${CMAKE_SOURCE_DIR}/tools/package ${which} --to ${packages})
set_tests_properties(package_make PROPERTIES LABELS interop FIXTURES_SETUP packages RESOURCE_LOCK build_tree)
set_tests_properties(interop_pre_commit PROPERTIES FIXTURES_REQUIRED packages)

package_test(front ${CMAKE_SOURCE_DIR} ${packages})
if(KNEAD_TORCH)
  package_test(engine ${CMAKE_SOURCE_DIR} ${packages} ${KNEAD_TORCH})
endif()
