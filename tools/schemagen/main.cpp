// schemagen SCHEMA FOLDER: writes FOLDER/recipe.h, recipe_reader.cpp and recipe_table.cpp.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "schema/document/parse.h"
#include "schema/document/problem_text.h"
#include "tools/schemagen/emit.h"

namespace {

using namespace knead;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A file that stays as it is keeps its time: what includes it need not be compiled again.
void write_file(const std::filesystem::path& path, const std::string& text) {
  if (read_file(path) == text) return;
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

void generate(const std::filesystem::path& schema_file, const std::filesystem::path& folder) {
  const auto source =
      std::make_shared<schema::Source>(schema_file.string(), schema_file, read_file(schema_file));
  schema::Problems problems;
  const auto document = schema::parse_yaml(source, problems);
  if (!problems.empty()) throw schema::InvalidRecipe(problems);
  const schemagen::SchemaModel model = schemagen::read_schema(*document);
  std::filesystem::create_directories(folder);
  write_file(folder / "recipe.h", schemagen::emit_header(model));
  write_file(folder / "recipe_reader.cpp", schemagen::emit_reader(model));
  write_file(folder / "recipe_table.cpp", schemagen::emit_table(model));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: schemagen SCHEMA FOLDER\n", stderr);
    return 2;
  }
  try {
    generate(argv[1], argv[2]);
    return 0;
  } catch (const schema::InvalidRecipe& invalid) {
    std::fputs(schema::to_text(invalid.problems()).c_str(), stderr);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "schemagen: %s\n", error.what());
    return 1;
  }
}
