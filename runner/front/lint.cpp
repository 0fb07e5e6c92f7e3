#include <filesystem>
#include <memory>
#include <optional>

#include <unistd.h>

#include <fmt/format.h>

#include "runner/front/check/check_model.h"
#include "runner/front/check/check_swept_models.h"
#include "runner/front/line/terminal.h"
#include "runner/front/lists/recipes_in.h"
#include "runner/front/verb.h"
#include "schema/document/problem_text.h"
#include "schema/document/regular_file.h"
#include "schema/document/shown_text.h"
#include "schema/document/standard_streams.h"
#include "schema/load.h"
#include "schema/merge/extends.h"
#include "schema/print/linted.h"

namespace knead::front {
namespace {

std::string recipes(std::size_t n) { return n == 1 ? "1 recipe" : fmt::format("{} recipes", n); }

/// Returns the problems of one recipe and its model. Reads as far as possible, so that one mistake
/// does not hide the others.
schema::Linted lint_file(const std::string& file, const std::vector<std::string>& overrides,
                         const schema::World& world) {
  schema::Linted linted{file, {}};
  const schema::Checked recipe =
      schema::read_as_far_as_possible(file, overrides, world, linted.problems);
  const schema::Problems of_model = check_model(recipe, world);
  linted.problems.insert(linted.problems.end(), of_model.begin(), of_model.end());
  // A sweep is tried on a recipe that is right without it.
  if (recipe.tree.find("sweep") && schema::count(linted.problems, schema::Severity::error) == 0) {
    const schema::Problems of_trials = check_swept_models(file, overrides, world);
    linted.problems.insert(linted.problems.end(), of_trials.begin(), of_trials.end());
  }
  schema::tidy(linted.problems);
  return linted;
}

/// Lets '-' name the standard input, by which editors give what is not saved yet. It is read once.
schema::World with_standard_input(schema::World world) {
  const auto text = std::make_shared<std::optional<std::string>>();
  world.files.read = [read = world.files.read, text,
                      name = world.home / "-"](const std::filesystem::path& path) {
    if (path != name) return read(path);
    if (!*text) *text = schema::text_of(STDIN_FILENO);
    return **text;
  };
  return world;
}

/// Returns the name of a file as a part of a line.
std::string shown(const std::string& file) {
  constexpr std::size_t kMostBytes = 300;
  return schema::shortened(schema::shown_text(file), kMostBytes);
}

std::string linted_text(const std::vector<schema::Linted>& all) {
  std::string out;
  schema::Problems problems;
  for (const schema::Linted& linted : all) {
    if (linted.problems.empty()) continue;
    out += schema::to_text(linted.problems, wants_colour(1));
    out += fmt::format("{} in {}\n", schema::count_in_words(linted.problems), shown(linted.file));
    problems.insert(problems.end(), linted.problems.begin(), linted.problems.end());
  }
  const std::string where = all.size() == 1 ? shown(all[0].file) : recipes(all.size());
  if (problems.empty()) return fmt::format("no problems in {}\n", where);
  if (all.size() == 1) return out;
  return out + fmt::format("{} in {}\n", schema::count_in_words(problems), where);
}

void print_formatted(const std::vector<schema::Linted>& all, const std::string& format,
                     bool strict) {
  if (format == "json") return print(schema::as_json(all));
  if (format == "sarif") return print(schema::as_sarif(all, KNEAD_VERSION));
  if (format == "rdjsonl") return print(schema::as_rdjsonl(all));
  if (format == "github") return print(schema::as_github(all));
  if (format == "junit") return print(schema::as_junit(all, strict));
  print_lines(linted_text(all));
}

/// Replaces folders by the recipes in them.
std::vector<std::string> named_recipes(const std::vector<std::string>& named) {
  std::vector<std::string> files;
  for (const std::string& path : named) {
    if (!schema::is_folder(path)) {
      files.push_back(path);
      continue;
    }
    for (const std::filesystem::path& file : recipes_in(path)) {
      // As a person would write it: "recipes/a.yaml" for ".", and not "./recipes/a.yaml".
      files.push_back(file.lexically_normal().string());
    }
  }
  return files;
}

}  // namespace

Exit lint(const Arguments& arguments) {
  if (arguments.files.empty()) {
    throw Error("'lint' needs a recipe", "for example: " + find_verb("lint")->example,
                Exit::invalid_recipe);
  }
  const schema::World world = with_standard_input(schema::this_world());
  const bool strict = arguments.has("strict");
  std::vector<schema::Linted> all;
  bool fails = false;
  for (const std::string& file : named_recipes(arguments.files)) {
    all.push_back(lint_file(file, arguments.overrides, world));
    fails = fails || schema::fails_lint(all.back().problems, strict);
  }
  print_formatted(all, arguments.get("format", "text"), strict);
  return fails ? Exit::invalid_recipe : Exit::done;
}

}  // namespace knead::front
