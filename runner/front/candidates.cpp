#include "runner/front/candidates.h"

#include <algorithm>
#include <set>

#include "runner/front/verb.h"
#include "schema/table/catalog.h"

namespace knead::front {
namespace {

using schema::Shape;
using schema::Type;
using Words = std::vector<std::string>;

Words beginning_with(const std::string& beginning, const Words& all) {
  Words out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out),
               [&](const std::string& word) { return word.starts_with(beginning); });
  return out;
}

Words names_of_verbs() {
  Words names;
  for (const Verb& verb : verbs()) names.push_back(verb.name);
  return names;
}

const Option* find_option(const Verb& verb, const std::string& dashed) {
  for (const Option& option : verb.options) {
    if ("--" + option.name == dashed) return &option;
  }
  return nullptr;
}

/// Returns the values of a type if they are a few words: choices, kinds, true and false.
Words choices_of(const Type& type) {
  Words out(type.choices.begin(), type.choices.end());
  if (type.shape == Shape::boolean) out = {"true", "false"};
  for (const schema::Kind& kind : type.kinds) out.emplace_back(kind.name);
  const bool stands_for_a_key = type.shape == Shape::block && !type.scalar_key.empty();
  if (stands_for_a_key) return choices_of(*schema::find_key(type, type.scalar_key)->type);
  const bool is_list_of_words = type.shape == Shape::list && out.empty();
  return is_list_of_words ? choices_of(*type.items) : out;
}

/// Returns the values that complete a key: kinds for `type`, the choices of the key, and "auto" if
/// the key may have this value.
Words values_of(const std::string& path) {
  const Type& root = schema::recipe_type();
  std::set<std::string> found;
  for (const schema::Listed& listed : schema::every_key(root)) {
    if (!schema::matches(listed.path(), path)) continue;
    for (const std::string& choice : choices_of(*listed.key->type)) found.insert(choice);
    if (listed.key->automatic) found.insert("auto");
    if (listed.key->name == "type" && !listed.kind.empty()) found.insert(listed.kind);
  }
  return {found.begin(), found.end()};
}

/// Adds the completions of a key: with '.' if it holds other keys, with '=' if it takes a value,
/// both if a scalar stands for the block.
void offer_key(const std::string& path, const Type& type, bool with_values,
               std::set<std::string>& offers) {
  const bool holds =
      type.shape == Shape::block || type.shape == Shape::kinds || type.shape == Shape::dictionary;
  if (holds) offers.insert(path + ".");
  const bool takes_one = !holds || !type.scalar_key.empty();
  if (takes_one) offers.insert(with_values ? path + "=" : path);
}

/// Returns the keys that complete a written path, one level at a time.
Words keys(const std::string& written, bool with_values) {
  const std::size_t level =
      static_cast<std::size_t>(std::count(written.begin(), written.end(), '.'));
  const std::string block = written.substr(0, level == 0 ? 0 : written.rfind('.'));
  std::set<std::string> offers;
  for (const schema::Listed& listed : schema::every_key(schema::recipe_type())) {
    if (!schema::matches(listed.block, block)) continue;
    const std::string path = (block.empty() ? "" : block + ".") + std::string(listed.key->name);
    offer_key(path, *listed.key->type, with_values, offers);
  }
  return beginning_with(written, {offers.begin(), offers.end()});
}

Words values(const std::string& word) {
  const std::string key = word.substr(0, word.find('='));
  Words out;
  for (const std::string& value : values_of(key)) out.push_back(key + "=" + value);
  return beginning_with(word, out);
}

Words options(const Verb& verb, const std::string& word) {
  Words all;
  for (const Option& option : verb.options) all.push_back("--" + option.name);
  return beginning_with(word, all);
}

bool names_a_recipe(const Words& words) {
  return std::any_of(words.begin() + 1, words.end() - 1, [](const std::string& word) {
    return word.ends_with(".yaml") || word.ends_with(".yml");
  });
}

}  // namespace

std::vector<std::string> candidates(const Words& words) {
  if (words.empty()) return {};
  const std::string& last = words.back();
  if (words.size() == 1) return beginning_with(last, names_of_verbs());
  const Verb* verb = find_verb(words[0]);
  if (!verb) return {};
  if (const Option* option = find_option(*verb, words[words.size() - 2])) {
    if (!option->choices.empty()) return beginning_with(last, option->choices);
  }
  // The values of an option come first: the word behind `--format` is its value, whatever it is.
  if (last.starts_with("-")) return options(*verb, last);
  if (verb->name == "help") return beginning_with(last, names_of_verbs());
  if (verb->name == "explain" && words.size() == 2) return keys(last, false);
  // Before a recipe is named the word is a path, for which the shell's own completion is better.
  if (!verb->takes_overrides() || !names_a_recipe(words)) return {};
  return last.find('=') == last.npos ? keys(last, true) : values(last);
}

}  // namespace knead::front
