# cmake -DROOT=. -DOUT=starters.cpp -DFILES=a;b -P embed_starters.cmake: files as bytes of the program that starts people off.
set(code "// Made by tools/embed_starters.cmake.\n#include \"runner/front/starters/starters.h\"\n\n#include <array>\n\n")
set(rows "")
set(number 0)
foreach(file ${FILES})
  string(APPEND code
    "asm(\".pushsection .rodata\\nstarter_${number}: .incbin \\\"${ROOT}/${file}\\\"\\n\"\n"
    "    \"starter_${number}_end: .byte 0\\n.popsection\");\n"
    "extern \"C\" const char starter_${number}[], starter_${number}_end[];\n")
  string(APPEND rows "      Starter{\"${file}\", {starter_${number}, starter_${number}_end}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "${code}
namespace knead::front {

std::span<const Starter> starters() {
  static const std::array<Starter, ${number}> all{
${rows}  };
  return all;
}

}  // namespace knead::front
")
