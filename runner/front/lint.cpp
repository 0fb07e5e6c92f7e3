#include <fmt/format.h>

#include "runner/front/check_model.h"
#include "runner/front/terminal.h"
#include "runner/front/verb.h"
#include "schema/load.h"
#include "schema/problem_text.h"

namespace knead::front {
namespace {

std::string recipes(std::size_t n) { return n == 1 ? "1 recipe" : fmt::format("{} recipes", n); }

}  // namespace

Exit lint(const Arguments& arguments) {
  if (arguments.files.empty()) {
    throw Error("'lint' needs a recipe", "for example: " + find_verb("lint")->example,
                Exit::invalid_recipe);
  }
  const bool as_json = arguments.get("format", "text") == "json";
  const schema::World world = schema::this_world();
  schema::Problems all;
  for (const std::string& file : arguments.files) {
    schema::Problems problems;
    const schema::Checked recipe =
        schema::read_as_far_as_possible(file, arguments.overrides, world, problems);
    const schema::Problems of_model = check_model(recipe, world);
    problems.insert(problems.end(), of_model.begin(), of_model.end());
    if (!of_model.empty()) schema::tidy(problems);
    if (!as_json && !problems.empty()) {
      print(schema::to_text(problems, wants_colour(1)));
      print(fmt::format("{} in {}\n", schema::count_in_words(problems), file));
    }
    all.insert(all.end(), problems.begin(), problems.end());
  }
  if (as_json) {
    print(schema::to_json(all) + "\n");
  } else if (all.empty()) {
    print(fmt::format("no problems in {}\n", arguments.files.size() == 1
                                                 ? arguments.files[0]
                                                 : recipes(arguments.files.size())));
  } else if (arguments.files.size() > 1) {
    print(fmt::format("{} in {}\n", schema::count_in_words(all), recipes(arguments.files.size())));
  }
  const bool strict = arguments.has("strict");
  const bool fails = strict ? !all.empty() : schema::count(all, schema::Severity::error) > 0;
  return fails ? Exit::invalid_recipe : Exit::done;
}

}  // namespace knead::front
