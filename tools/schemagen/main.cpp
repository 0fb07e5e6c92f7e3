// schemagen FOLDER RECIPE [FILE…]: writes FOLDER/recipe.h, recipe/<block>.h, recipe_reader.cpp and
// recipe_table.cpp. RECIPE is the file of the language that declares the recipe; each FILE holds a
// block of it.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "schema/document/problem_text.h"
#include "tools/schemagen/emit.h"
#include "tools/schemagen/language.h"

namespace {

using namespace knead;

/// Writes a file unless it holds `text` already: an unchanged file keeps its time, and the sources
/// that include it are not compiled again.
void write_file(const std::filesystem::path& path, const std::string& text) {
  if (schemagen::read_file(path) == text) return;
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

void generate(const std::filesystem::path& folder,
              const std::vector<std::filesystem::path>& files) {
  const schemagen::SchemaModel model = schemagen::read_schema(schemagen::read_language(files));
  std::filesystem::create_directories(folder / "recipe");
  write_file(folder / "recipe.h", schemagen::emit_header(model, model.root->block));
  write_file(folder / "recipe" / "key.h", schemagen::emit_key_header());
  for (const std::string& block : schemagen::blocks_of(files)) {
    write_file(folder / "recipe" / (block + ".h"), schemagen::emit_header(model, block));
  }
  write_file(folder / "recipe_reader.cpp", schemagen::emit_reader(model));
  write_file(folder / "recipe_table.cpp", schemagen::emit_table(model));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: schemagen FOLDER RECIPE [FILE…]\n", stderr);
    return 2;
  }
  try {
    generate(argv[1], {argv + 2, argv + argc});
    return 0;
  } catch (const schema::InvalidRecipe& invalid) {
    std::fputs(schema::to_text(invalid.problems()).c_str(), stderr);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "schemagen: %s\n", error.what());
    return 1;
  }
}
