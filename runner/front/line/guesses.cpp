// Hints for verbs and options that people know from other programs.

#include "runner/front/line/guesses.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "schema/document/suggest.h"
#include "schema/table/table.h"
#include "schema/validate/unknown_key.h"

namespace knead::front {
namespace {

struct KnownElsewhere {
  std::string_view names;  // separated by blanks
  std::string_view words;
};

constexpr std::array kVerbsElsewhere = {
    KnownElsewhere{"train fit start launch finetune fine-tune pretrain execute",
                   "to train a recipe: knead run recipe.yaml"},
    KnownElsewhere{"resume continue restart",
                   "'knead run' goes on with a run that was stopped; with --fresh it starts over"},
    KnownElsewhere{"validate", "to check a recipe: knead lint; to measure a run: knead evaluate"},
    KnownElsewhere{"check", "to check a recipe: knead lint; to check a run's files: knead verify"},
    KnownElsewhere{"test eval score", "to measure a run: knead evaluate"},
    KnownElsewhere{"infer inference", "to apply a run to a set: knead predict"},
    KnownElsewhere{"chat sample complete", "to write text with a run: knead generate"},
    KnownElsewhere{"tune hpo hyperopt search optimize multirun",
                   "to try several values: knead sweep"},
    KnownElsewhere{"init create init_config template examples cp",
                   "to begin with an example: knead new"},
    KnownElsewhere{"convert",
                   "to read another trainer's recipe: knead import; to write weights for "
                   "other programs: knead export"},
    KnownElsewhere{"migrate translate", "to read another trainer's recipe: knead import"},
    KnownElsewhere{"save merge", "to write weights for other programs: knead export"},
    KnownElsewhere{"config show print", "to see a recipe as it is understood: knead render"},
    KnownElsewhere{"docs doc keys describe", "to read about a key: knead explain"},
    KnownElsewhere{"list ls ps status history", "to see the runs: knead runs"},
    KnownElsewhere{
        "clean clear rm remove delete prune gc",
        "a run is a folder, which you may delete; checkpoint.keep says what a run keeps"},
    KnownElsewhere{"logs log tail monitor top", "to follow a run: knead watch"},
    KnownElsewhere{"ui dashboard serve tensorboard visualize",
                   "to see runs in a browser: knead board"},
    KnownElsewhere{"estimate estimate-memory memory dry-run dryrun",
                   "to see what a recipe needs: knead plan"},
    KnownElsewhere{"profile benchmark", "to measure steps: knead bench"},
    KnownElsewhere{"sync upload push", "to send a run to a tracker: knead track"},
    KnownElsewhere{"doctor info devices system", "to see versions and devices: knead env"},
    KnownElsewhere{"version", "to see the version: knead --version"},
};

constexpr std::array kOverridesElsewhere = {"set",    "override", "overrides", "config_overrides",
                                            "option", "options",  "param",     "opt"};

/// Returns whether `words`, which are separated by blanks, contain a word.
bool contains_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// Returns an option as an override of the recipe: "--batch.micro=8" and "--batch.micro 8" both
/// become "batch.micro=8".
std::string as_override(const std::string& option, const std::vector<std::string>& words) {
  const std::string bare = option.substr(option.find_first_not_of('-'));
  if (bare.find('=') != bare.npos) return bare;
  const auto given = std::find(words.begin(), words.end(), option);
  const std::string next = given == words.end() || given + 1 == words.end() ? "" : *(given + 1);
  const bool is_value = !next.empty() && !next.starts_with("--") && !next.ends_with(".yaml");
  return fmt::format("{}={}", bare, is_value ? next : "VALUE");
}

}  // namespace

std::string verb_hint(const std::string& name, const std::vector<std::string>& verbs) {
  for (const KnownElsewhere& known : kVerbsElsewhere) {
    if (contains_word(known.names, name)) return std::string(known.words);
  }
  const std::vector<std::string_view> candidates(verbs.begin(), verbs.end());
  const std::string_view near = schema::nearest(name, candidates);
  return near.empty() ? "'knead help' lists them" : fmt::format("did you mean 'knead {}'?", near);
}

std::string override_hint(const std::string& option, const std::vector<std::string>& words) {
  if (!option.starts_with("--")) return "";
  const std::string bare = option.substr(2, option.find('=') - 2);
  const std::string example = "KEY=VALUE, as in batch.micro=8";
  for (const std::string_view name : kOverridesElsewhere) {
    if (schema::same_but_style(bare, name))
      return fmt::format("a key of the recipe needs no option: {}", example);
  }
  const schema::Type& recipe = schema::recipe_type();
  if (bare.find('.') != bare.npos || schema::find_key(recipe, bare))
    return fmt::format("a key of the recipe has no dashes: {}", as_override(option, words));
  const std::string guess =
      schema::guess_key(bare, {recipe, "", "", {}}, schema::every_key(recipe), {}).hint;
  if (guess.empty() || guess.starts_with("did you mean") || guess.starts_with("'knead explain"))
    return "";
  return fmt::format("{}; a key has no dashes: {}", guess, example);
}

}  // namespace knead::front
