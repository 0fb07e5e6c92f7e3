#include <algorithm>

#include <fmt/format.h>

#include "schema/document/suggest.h"
#include "schema/rules/rule_list.h"
#include "schema/rules/set_fields.h"
#include "schema/table/read.h"

namespace knead::schema {
namespace {

/// Reports a name that is not a field of a set.
void check_field(const RuleView& recipe, const std::string& set, const Node& name) {
  const auto names = field_names(recipe, set);
  if (!names || std::find(names->begin(), names->end(), name.text) != names->end()) return;
  recipe.error(
      "unknown-field", name.place, fmt::format("'{}' is no field of {}", name.text, set),
      did_you_mean(name.text, *names, fmt::format("its fields are {}", fmt::join(*names, ", "))));
}

/// Returns whether a transform draws random numbers.
bool is_random(const Node& transform) {
  const std::string& type = transform.at("type").text;
  if (type == "crop") return transform.at("at").text == "random";
  return type == "flip" || type == "rotate" || type == "scale" || type == "shift" ||
         type == "cutout" || type == "noise";
}

/// Returns whether an earlier set has, or may have, the same transforms, which `like` then copied.
/// They are reported there.
bool may_be_taken(const RuleView& recipe, const std::string& set, const Node& transforms) {
  for (const std::string other : kSets) {
    if (other == set) break;
    const std::string path = other + ".transforms";
    const Node* theirs = recipe.find(path);
    if (theirs ? say_the_same(*theirs, transforms) : !recipe.is_absent(path)) return true;
  }
  return false;
}

void check_channels(const RuleView& recipe, const Node* channels) {
  if (!channels || channels->integer != 2) return;
  recipe.error("out-of-range", channels->place, "images have 1 channel or 3",
               "1 for grey, 3 for red, green and blue");
}

/// Reports a word that a list repeats.
void check_words(const RuleView& recipe, const std::string& path) {
  const Node* words = recipe.find(path);
  for (std::size_t i = 1; words && i < words->items.size(); ++i) {
    const auto begin = words->items.begin();
    const auto at = begin + static_cast<std::ptrdiff_t>(i);
    const auto first =
        std::find_if(begin, at, [&](const Node& word) { return word.text == at->text; });
    if (first == at) continue;
    recipe.error("duplicate-category", at->place,
                 fmt::format("'{}' stands twice in {}", at->text, path),
                 fmt::format("it is number {} already", first - begin));
  }
}

}  // namespace

void transforms_fit_their_set(const RuleView& recipe) {
  for (const std::string& set : all_sets(recipe)) {
    const Node* transforms = recipe.find(set + ".transforms");
    if (!transforms || may_be_taken(recipe, set, *transforms)) continue;
    for (const Node& transform : transforms->items) {
      const Node* field = transform.find("field");
      for (const Node& name : field ? field->items : std::vector<Node>{})
        check_field(recipe, set, name);
      if (set.starts_with("data.train") || !is_random(transform)) continue;
      recipe.warning(
          "random-evaluation", transform.place,
          fmt::format("{} is random: an evaluation leaves it out", transform.at("type").text),
          transform.at("type").text == "crop" ? "crop then takes the middle"
                                              : "it is for data.train");
    }
  }
}

void sampler_draws_from_a_field(const RuleView& recipe) {
  if (!recipe.find("data.sampler")) return;
  const Node* weights = recipe.find("data.sampler.weights");
  const Node* balanced = recipe.find("data.sampler.balanced");
  if (weights && balanced) {
    recipe.error(
        "not-together", recipe.key_place("data.sampler.balanced"),
        fmt::format("'balanced' does not go with {}", recipe.reference("data.sampler.weights")),
        "a sampler has one of them");
  }
  const bool lacks_both =
      recipe.is_absent("data.sampler.weights") && recipe.is_absent("data.sampler.balanced");
  if (lacks_both) {
    recipe.error("missing-key", recipe.key_place("data.sampler"),
                 "data.sampler needs 'weights' or 'balanced'", "each names a field");
  }
  const Node* shuffle = recipe.written("data.shuffle");
  if (shuffle && !shuffle->boolean) {
    recipe.error("not-together", recipe.key_place("data.sampler"),
                 fmt::format("'sampler' does not go with {}", recipe.reference("data.shuffle")),
                 "what is drawn has no order");
  }
  for (const Node* name : {weights, balanced}) {
    if (name) check_field(recipe, "data.train", *name);
  }
}

void images_have_one_or_three_channels(const RuleView& recipe) {
  for (const std::string& set : all_sets(recipe)) {
    check_channels(recipe, recipe.written(set + ".channels"));
    const Node* fields =
        recipe.text(set + ".type") == "tar" ? recipe.find(set + ".fields") : nullptr;
    for (const Entry& field : fields ? fields->entries : std::vector<Entry>())
      check_channels(recipe, field.value.find("channels"));
  }
}

void images_are_not_split_by_class(const RuleView& recipe) {
  for (const std::string& set : all_sets(recipe)) {
    const Node* rows = recipe.written(set + ".rows");
    const std::string path = recipe.text(set + ".path");
    if (!rows || recipe.text(set + ".type") != "images" || path.empty() || path.ends_with(".csv"))
      continue;
    recipe.warning("rows-by-class", rows->place,
                   "the images of a folder stand in the order of their classes: some rows of them "
                   "have some of the classes",
                   "draw what is evaluated, as in {like: train, hold_out: 10%}");
    return;  // other sets mostly equal this one
  }
}

void categories_are_class_numbers(const RuleView& recipe) {
  const Node* fields = recipe.find(samples_like(recipe, "data.train") + ".fields");
  if (!fields) return;
  for (const Entry& field : fields->entries) {
    const Node* categories = field.value.find("categories");
    const Node* dtype = field.value.find("dtype");
    if (!categories || !dtype || dtype->text != "bool" || categories->items.size() <= 2) continue;
    recipe.error("field-dtype", dtype->place,
                 fmt::format("{} categories do not fit bool", categories->items.size()),
                 "leave dtype out: they are int64");
  }
}

void categories_are_not_scaled(const RuleView& recipe) {
  for (const std::string& set : all_sets(recipe)) {
    const Node* fields =
        recipe.text(set + ".type") == "csv" ? recipe.find(set + ".fields") : nullptr;
    for (const Entry& field : fields ? fields->entries : std::vector<Entry>()) {
      const std::string path = fmt::format("{}.fields.{}", set, field.key);
      if (!recipe.find(path + ".categories")) continue;
      for (const char* key : {"scale", "offset"}) {
        const std::string at = fmt::format("{}.{}", path, key);
        if (!recipe.meant(at)) continue;
        recipe.error(
            "not-together", recipe.key_place(at),
            fmt::format("'{}' does not go with {}", key, recipe.reference(path + ".categories")),
            "the words become the numbers of classes, which are not scaled");
      }
    }
  }
}

void categories_are_distinct(const RuleView& recipe) {
  for (const std::string& set : all_sets(recipe)) {
    check_words(recipe, set + ".classes");
    const Node* fields = recipe.find(set + ".fields");
    for (const Entry& field : fields ? fields->entries : std::vector<Entry>())
      check_words(recipe, fmt::format("{}.fields.{}.categories", set, field.key));
  }
}

}  // namespace knead::schema
