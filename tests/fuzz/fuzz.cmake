# The libFuzzer program, in a tree of its own: tools/fuzz configures it with clang.
set(fuzz_options -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -O1 -g1 -UNDEBUG)
knead_libraries(_fuzz ${fuzz_options})
add_dependencies(schema_fuzz recipe_header)
add_executable(recipe_fuzz tests/fuzz/recipe_fuzz.cpp)
target_compile_options(recipe_fuzz PRIVATE ${fuzz_options})
target_link_options(recipe_fuzz PRIVATE -fsanitize=fuzzer,address,undefined)
target_link_libraries(recipe_fuzz PRIVATE schema_fuzz)
