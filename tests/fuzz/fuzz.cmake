# The libFuzzer programs, in a tree of their own: tools/fuzz configures it with clang.
set(fuzz_options -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -O1 -g1 -UNDEBUG)
knead_libraries(_fuzz ${fuzz_options})
add_dependencies(schema_fuzz recipe_header)

function(fuzz_program name library)
  add_executable(${name} tests/fuzz/${name}.cpp)
  target_compile_options(${name} PRIVATE ${fuzz_options})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_libraries(${name} PRIVATE ${library})
endfunction()

fuzz_program(recipe_fuzz schema_fuzz)
fuzz_program(source_fuzz syntax_fuzz)
fuzz_program(tensors_fuzz weights_fuzz)
fuzz_program(text_fuzz data_fuzz)
fuzz_program(arrays_fuzz data_fuzz)
