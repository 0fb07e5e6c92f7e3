#include "runner/front/check/check_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/front/check/check_arguments.h"
#include "runner/front/check/check_inputs.h"
#include "runner/front/check/check_source.h"
#include "runner/syntax/classes.h"
#include "runner/syntax/refusal.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;
using schema::Entry;
using schema::Node;
using syntax::Class;

/// Returns the name of the model's file for messages: its path relative to the recipe's folder,
/// behind that folder as the user wrote it.
std::string shown_name(const Node& source, const fs::path& home) {
  const schema::Source& recipe = *source.place.source;
  const fs::path path = source.text;
  const fs::path folder = recipe.is_file() ? recipe.path().parent_path() : home;
  const fs::path before = recipe.is_file() ? fs::path(recipe.name()).parent_path() : fs::path();
  const std::string relative = (before / path.lexically_relative(folder)).lexically_normal();
  return relative.size() < source.text.size() ? relative : source.text;
}

std::string list_of(const std::vector<const Class*>& classes) {
  std::vector<std::string_view> names;
  for (const Class* one : classes) names.push_back(one->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

class ModelCheck {
 public:
  ModelCheck(const Node& model, const ModelFiles& files) : model_(model), files_(files) {}

  /// Returns the class to build; std::nullopt if there is none, which is reported, or if only
  /// running the file would show it.
  std::optional<FoundClass> find_class() {
    const Node* named = model_.find("class");
    return named ? named_class(*named) : only_class();
  }

  void check_arguments_of(const FoundClass& found) {
    const Entry* args = model_.entry("args");
    const bool is_written = args && !args->value.is_default;
    const Node* named = model_.find("class");
    const schema::Place place = is_written ? args->place
                                : named    ? named->place
                                           : model_.at("source").place;
    check_arguments(files_, found, {is_written ? &args->value : nullptr, "model.args", place},
                    problems_);
  }

  schema::Problems take_problems() { return std::move(problems_); }

 private:
  const std::string& file_name() const { return files_.main().source->name(); }

  std::optional<FoundClass> named_class(const Node& named) {
    const Meaning meaning = files_.meaning(files_.main(), named.text);
    if (meaning.kind == Meaning::Kind::uncertain) return std::nullopt;
    if (meaning.kind == Meaning::Kind::nothing) {
      report_unknown(named);
      return std::nullopt;
    }
    if (!syntax::may_be_module(*meaning.found.file, *meaning.found.definition)) {
      report("unknown-class", named.place,
             fmt::format("{} is no model: it is not below nn.Module", named.text),
             modules().empty() ? fmt::format("write class {}(nn.Module)", named.text)
                               : models_in_words());
      return std::nullopt;
    }
    return meaning.found;
  }

  void report_unknown(const Node& named) {
    std::vector<std::string_view> names;
    for (const Class* one : modules()) names.push_back(one->name);
    report("unknown-class", named.place,
           fmt::format("{} has no class '{}'", file_name(), named.text),
           schema::did_you_mean(named.text, names, models_in_words()));
  }

  std::optional<FoundClass> only_class() {
    const std::vector<const Class*> found = syntax::outermost_modules(files_.main());
    if (found.size() == 1) return FoundClass{&files_.main(), found[0]};
    const schema::Place place = model_.at("source").place;
    const std::vector<const Class*> all = modules();
    if (all.empty()) {
      report("unknown-class", place, fmt::format("{} has no class below nn.Module", file_name()),
             "");
    } else {
      report("missing-key", place,
             fmt::format("model.class must say which class of {} to build", file_name()),
             found.empty() ? fmt::format("each of them is used by another: {}", list_of(all))
                           : fmt::format("no other class uses {}", list_of(found)));
    }
    return std::nullopt;
  }

  std::vector<const Class*> modules() const { return syntax::modules_of(files_.main()); }

  std::string models_in_words() const {
    const std::vector<const Class*> found = modules();
    if (found.empty()) return "the file has no class below nn.Module";
    return fmt::format("its models are {}", list_of(found));
  }

  void report(std::string code, schema::Place place, std::string message, std::string hint) {
    problems_.push_back({std::move(code), std::move(place), std::move(message), std::move(hint)});
  }

  const Node& model_;
  const ModelFiles& files_;
  schema::Problems problems_;
};

std::string loss_of(const schema::Checked& recipe) {
  const Node* loss = recipe.is_certain("loss.type") ? recipe.tree.find("loss") : nullptr;
  const Node* type = loss && loss->is_map() ? loss->find("type") : nullptr;
  return type ? type->text : "";
}

bool is_in_model(const schema::Problem& problem) { return problem.code.starts_with("model-"); }

/// Returns the problems of a recipe's model. Throws syntax::Refusal if a file does not parse, and
/// knead::Error if one cannot be read.
schema::Problems problems_of(const schema::Checked& recipe, const schema::World& world) {
  const Node* model = recipe.tree.is_map() ? recipe.tree.find("model") : nullptr;
  const Node* source = model ? model->find("source") : nullptr;
  const bool is_sure = source && recipe.is_certain("model.source") && !model->find("archive");
  if (!is_sure || !world.files.exists(source->text)) return {};
  const ModelFiles files(world.files, source->text, shown_name(*source, world.home));
  // If model.class is doubtful, each mistake that follows from the class is doubtful too.
  if (!recipe.is_certain("model.class")) return {};
  ModelCheck check(*model, files);
  const auto found = check.find_class();
  if (found && recipe.is_certain("model.args")) check.check_arguments_of(*found);
  schema::Problems problems = check.take_problems();
  if (found) check_inputs(recipe, files, *found, problems);
  const schema::Problems of_source = check_source(files, found, loss_of(recipe));
  problems.insert(problems.end(), of_source.begin(), of_source.end());
  return problems;
}

}  // namespace

schema::Problems check_model(const schema::Checked& recipe, const schema::World& world) {
  try {
    return problems_of(recipe, world);
  } catch (const syntax::Refusal& refusal) {
    return {refusal.problem()};
  } catch (const Error& error) {
    const schema::Place place = recipe.tree.at("model").at("source").place;
    return {{"missing-file", place, fmt::format("model.source: {}", error.what()), error.remedy()}};
  }
}

schema::Problems require_model(const schema::Understood& recipe, const schema::World& world) {
  schema::Checked checked;
  checked.tree = recipe.tree;
  checked.home = world.home.string();
  schema::Problems problems = problems_of(checked, world);
  schema::tidy(problems);
  if (schema::count(problems, schema::Severity::error) == 0) return problems;
  std::erase_if(problems, [](const schema::Problem& problem) {
    return problem.severity == schema::Severity::warning;
  });
  const schema::Problem& first = problems[0];
  if (!std::all_of(problems.begin(), problems.end(), is_in_model)) {
    throw schema::InvalidRecipe(std::move(problems));
  }
  throw syntax::Refusal(first.code, first.place, first.message, first.hint);
}

}  // namespace knead::front
