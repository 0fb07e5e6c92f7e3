# The libFuzzer programs, in a tree of their own: tools/fuzz configures it with clang.
function(fuzz_program name library)
  add_executable(${name} tests/fuzz/${name}.cpp)
  target_compile_options(${name} PRIVATE ${KNEAD_OPTIONS_fuzz})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_libraries(${name} PRIVATE ${library} schema_fuzz)
endfunction()

fuzz_program(recipe_fuzz schema_print_fuzz)
fuzz_program(source_fuzz syntax_fuzz)
fuzz_program(tensors_fuzz weights_fuzz)
fuzz_program(text_fuzz data_sets_fuzz)
fuzz_program(arrays_fuzz data_sets_fuzz)
fuzz_program(runs_fuzz "checkpoint_fuzz;track_fuzz")
