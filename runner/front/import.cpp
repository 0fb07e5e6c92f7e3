#include "runner/peers/import.h"

#include <charconv>

#include <fmt/format.h>

#include "runner/front/line/terminal.h"
#include "runner/front/verb.h"
#include "schema/document/problem_text.h"
#include "schema/document/regular_file.h"
#include "schema/document/standard_streams.h"
#include "schema/load.h"

namespace knead::front {
namespace {

constexpr int kMostProcesses = 1'000'000;

Error wrong(const std::string& message) {
  return Error(message, "for example: " + find_verb("import")->example, Exit::invalid_recipe);
}

/// Returns the number of processes of the other trainer; 0 if --processes is not given.
int processes_of(const Arguments& arguments) {
  if (!arguments.has("processes")) return 0;
  const std::string text = arguments.get("processes", "");
  int count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool is_whole = failure == std::errc() && end == text.data() + text.size();
  if (!is_whole || count < 1 || count > kMostProcesses)
    throw wrong(fmt::format("--processes is a number of processes, from 1 on, and not '{}'", text));
  return count;
}

std::shared_ptr<const schema::Source> read(const std::string& file,
                                           const std::filesystem::path& path) {
  try {
    return std::make_shared<schema::Source>(file, path, schema::this_world().files.read(path));
  } catch (const Error& error) {
    throw Error(fmt::format("{} {}", file, error.what()),
                error.remedy().empty() ? "name a file of another trainer" : error.remedy(),
                Exit::invalid_recipe);
  }
}

std::shared_ptr<const schema::Source> open(const std::string& file) {
  const schema::World world = schema::this_world();
  const std::filesystem::path path = (world.home / file).lexically_normal();
  if (!world.files.exists(path) && !schema::is_folder(path)) {
    throw Error(fmt::format("there is no file '{}'", file),
                schema::nearest_file(file, path, world.files), Exit::invalid_recipe);
  }
  return read(file, path);
}

/// Returns a reader of the files that a configuration names, by their paths from its folder or from
/// here, as the trainers look for them.
peers::ReadBeside reader_beside(const std::string& file) {
  return [file](const std::string& name) -> std::shared_ptr<const schema::Source> {
    const schema::World world = schema::this_world();
    const std::filesystem::path folder = (world.home / file).parent_path();
    for (const std::filesystem::path& from : {folder, world.home}) {
      const std::filesystem::path path = (from / name).lexically_normal();
      if (world.files.exists(path)) return read(name, path);
    }
    return nullptr;
  };
}

}  // namespace

Exit import_verb(const Arguments& arguments) {
  if (arguments.words.size() != 1 || arguments.words[0].empty())
    throw wrong("'import' takes one file of another trainer");
  try {
    print(peers::import_file(open(arguments.words[0]), arguments.get("from", ""),
                             processes_of(arguments), reader_beside(arguments.words[0])));
  } catch (const schema::InvalidRecipe& invalid) {
    // Caught here and not in main(), whose message speaks of a recipe: this file is another
    // trainer's.
    std::fputs(schema::to_text(invalid.problems(), wants_colour(2)).c_str(), stderr);
    complain(
        fmt::format("{} in {}", schema::count_in_words(invalid.problems()), arguments.words[0]),
        "");
    return Exit::invalid_recipe;
  }
  return Exit::done;
}

}  // namespace knead::front
