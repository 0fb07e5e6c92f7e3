// What an evaluation writes besides numbers: texts and predictions.

#include <fmt/format.h>

#include "schema/rules/rule_list.h"
#include "schema/rules/set_fields.h"

namespace knead::schema {
namespace {

constexpr const char* kValidation = "add it, as in {like: train, hold_out: 10%}";

/// Returns the path of the set that the samples of training are like, "data.train" mostly, and its
/// type; an empty type if that is doubtful.
std::pair<std::string, std::string> trained_set(const RuleView& recipe) {
  const std::string set = samples_like(recipe, "data.train");
  return {set, recipe.text(set + ".type")};
}

}  // namespace

void generated_text_has_a_tokenizer(const RuleView& recipe) {
  const Node* generate = recipe.written("evaluate.generate");
  if (!generate) return;
  const Place place = recipe.key_place("evaluate.generate");
  if (recipe.is_absent("data.validation"))
    recipe.error("needs-validation", place, "'evaluate.generate' needs data.validation",
                 kValidation);
  const auto [set, type] = trained_set(recipe);
  if (type.empty()) return;
  if (type != "text" && type != "tokens") {
    recipe.error("generate-needs-text", place,
                 fmt::format("only a language model writes text, and {} ({}) is of type {}", set,
                             recipe.where(set), type),
                 "leave 'generate' out, or train on text: {type: text, path: FILE, context: 64}");
  } else if (type == "tokens" && recipe.is_absent("generate.tokenizer")) {
    recipe.error("generate-needs-text", place,
                 fmt::format("no tokenizer tells which text the tokens of {} ({}) are", set,
                             recipe.where(set)),
                 "name the tokenizer.json of the data: generate: {tokenizer: FILE}");
  }
}

void prompts_are_not_empty(const RuleView& recipe) {
  const Node* prompts = recipe.find("evaluate.generate.prompts");
  if (!prompts) return;
  for (const Node& prompt : prompts->items) {
    if (!prompt.text.empty()) continue;
    recipe.error("empty-prompt", prompt.place,
                 "the prompt is empty, and the model goes on from what is there",
                 R"(write at least one character: a line break does, "\n")");
  }
}

void samples_have_losses(const RuleView& recipe) {
  const Node* samples = recipe.written("evaluate.samples");
  if (!samples || samples->integer == 0) return;
  if (recipe.is_absent("data.validation"))
    recipe.error("needs-validation", samples->place, "'evaluate.samples' needs data.validation",
                 kValidation);
  const std::string loss = recipe.text("loss.type");
  if (!is_one_of(loss, {"from_model", "ctc", "cosine_embedding", "margin_ranking"})) return;
  recipe.error("samples-need-losses", samples->place,
               fmt::format("predictions are ordered by the loss of each sample, which the loss {} "
                           "({}) does not give",
                           loss, recipe.where("loss.type")),
               "leave 'samples' out");
}

}  // namespace knead::schema
