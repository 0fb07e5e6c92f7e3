#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "runner/files/read.h"
#include "runner/front/line/terminal.h"
#include "runner/front/starters/starters.h"
#include "runner/front/verb.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

/// Describes a file to write in the current folder.
struct Copy {
  std::string path;  // "digits.yaml", "models/mlp.py", "data/digits.csv"
  std::string bytes;
};

constexpr std::string_view kRecipes = "recipes/";

bool is_recipe(const Starter& starter) { return starter.path.ends_with(".yaml"); }

/// Returns the name of a recipe: "digits" for recipes/digits.yaml.
std::string name_of(const Starter& recipe) { return fs::path(recipe.path).stem().string(); }

/// Returns the path by which a recipe in recipes/ names a file: "../models/mlp.py",
/// "data/digits.csv".
std::string named_in_recipe(const Starter& starter) {
  const bool is_beside = starter.path.starts_with(kRecipes);
  return is_beside ? std::string(starter.path.substr(kRecipes.size()))
                   : "../" + std::string(starter.path);
}

/// Returns the path of a file in the current folder: "../models/mlp.py" becomes "models/mlp.py",
/// because the recipe is written beside the folder of models.
std::string path_here(const std::string& named) {
  return named.starts_with("../") ? named.substr(3) : named;
}

/// Returns a recipe without the lines that are comments.
std::string without_comments(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    if (!line.starts_with('#')) out += line;
    text.remove_prefix(line.size());
  }
  return out;
}

/// Returns the recipe, with its paths changed, and then the files that it names.
std::vector<Copy> copies_of(const Starter& recipe) {
  std::vector<Copy> copies;
  std::string text(recipe.bytes);
  const std::string said = without_comments(text);
  for (const Starter& other : starters()) {
    const std::string named = named_in_recipe(other);
    // A recipe needs exactly the embedded files whose paths stand in its text.
    if (&other == &recipe || said.find(named) == said.npos) continue;
    const std::string here = path_here(named);
    for (std::size_t at = text.find(named); at != text.npos;
         at = text.find(named, at + here.size()))
      text.replace(at, named.size(), here);
    copies.push_back({here, std::string(other.bytes)});
  }
  copies.insert(copies.begin(), {named_in_recipe(recipe), text});
  return copies;
}

/// Returns the comment at the beginning of a recipe as one line.
std::string description_of(const Starter& recipe) {
  std::string out;
  std::string_view rest = recipe.bytes;
  while (rest.starts_with("# ")) {
    const std::size_t end = rest.find('\n');
    out += (out.empty() ? "" : " ") + std::string(rest.substr(2, end - 2));
    rest.remove_prefix(end + 1);
  }
  return out;
}

std::string list() {
  std::map<std::string, std::string> descriptions;
  for (const Starter& starter : starters()) {
    if (is_recipe(starter)) descriptions[name_of(starter)] = description_of(starter);
  }
  std::string out;
  for (const auto& [name, description] : descriptions)
    out += fmt::format("{:<20} {}\n", name, description);
  return out;
}

const Starter& find_recipe(const std::string& name) {
  std::vector<std::string> names;
  for (const Starter& starter : starters()) {
    if (!is_recipe(starter)) continue;
    names.push_back(name_of(starter));
    if (names.back() == name) return starter;
  }
  throw Error(fmt::format("there is no recipe '{}' to start from", name),
              schema::did_you_mean(name, names, fmt::format("there is {}", fmt::join(names, ", "))),
              Exit::invalid_recipe);
}

/// Returns the paths that exist with another content.
std::vector<std::string> in_the_way(const std::vector<Copy>& copies) {
  std::vector<std::string> paths;
  for (const Copy& copy : copies) {
    const bool is_there = fs::symlink_status(copy.path).type() != fs::file_type::not_found;
    if (is_there && files::read_text_if_possible(copy.path) != copy.bytes)
      paths.push_back(copy.path);
  }
  return paths;
}

/// Removes the files that were written and throws the failure.
[[noreturn]] void give_up(const std::string& path, int number, const std::vector<Copy>& written) {
  std::error_code ignored;
  for (const Copy& copy : written) fs::remove(copy.path, ignored);
  throw Error(fmt::format("cannot write {}: {}", path, std::strerror(number)),
              "call it in a folder that you can write to", Exit::not_usable);
}

/// Writes all files or none. Skips files that exist, which have the same content by now. Returns
/// the written ones.
std::vector<Copy> write(const std::vector<Copy>& copies) {
  std::vector<Copy> written;
  for (const Copy& copy : copies) {
    if (fs::exists(copy.path)) continue;
    const fs::path folder = fs::path(copy.path).parent_path();
    std::error_code failure;
    if (!folder.empty()) fs::create_directories(folder, failure);
    if (failure) give_up(folder.string(), failure.value(), written);
    // "x" refuses a file that appeared since in_the_way() looked: nothing of the user is
    // overwritten.
    std::FILE* file = std::fopen(copy.path.c_str(), "wbx");
    if (!file) give_up(copy.path, errno, written);
    written.push_back(copy);
    const bool is_whole =
        std::fwrite(copy.bytes.data(), 1, copy.bytes.size(), file) == copy.bytes.size();
    const int number = errno;
    if (std::fclose(file) != 0) give_up(copy.path, errno, written);
    if (!is_whole) give_up(copy.path, number, written);
  }
  return written;
}

}  // namespace

Exit new_verb(const Arguments& arguments) {
  if (arguments.files.empty() || arguments.has("list")) {
    print_lines(list());
    return Exit::done;
  }
  if (arguments.files.size() > 1) {
    throw Error("'new' takes one name", "for example: " + find_verb("new")->example,
                Exit::invalid_recipe);
  }
  const std::vector<Copy> copies = copies_of(find_recipe(arguments.files[0]));
  const std::vector<std::string> there = in_the_way(copies);
  if (!there.empty()) {
    throw Error(fmt::format("here is another {} already", fmt::join(there, ", another ")),
                "call it in an empty folder, or move what is in the way", Exit::not_usable);
  }
  for (const Copy& copy : write(copies)) print_lines(fmt::format("wrote {}\n", copy.path));
  const bool is_sweep = copies[0].bytes.find("\nsweep:") != std::string::npos;
  print_lines(fmt::format("next: knead {} {}\n", is_sweep ? "sweep" : "run", copies[0].path));
  return Exit::done;
}

}  // namespace knead::front
