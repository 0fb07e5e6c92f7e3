#include "schema/unknown_key.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/suggest.h"

namespace knead::schema {
namespace {

constexpr std::size_t kMostPlaces = 3;  // a key that stands in more blocks says nothing

/// "a, b or c"
std::string alternatives(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return out;
}

void add_once(std::vector<std::string>& words, std::string word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
}

KeyGuess near_sibling(std::string_view near, std::string_view path) {
  if (near.empty()) return {};
  const std::string meant = path.empty() ? std::string(near) : fmt::format("{}.{}", path, near);
  return {fmt::format("did you mean '{}'?", near), {meant}};
}

KeyGuess same_key_elsewhere(std::string_view name, const std::vector<Listed>& all) {
  KeyGuess guess;
  std::vector<std::string> blocks;
  for (const Listed& listed : all) {
    if (listed.key->name != name || name == "type") continue;
    add_once(guess.meant, listed.path());
    add_once(blocks, listed.block.empty() ? "at the top level" : "under " + without_stars(listed.block));
  }
  if (blocks.empty() || blocks.size() > kMostPlaces) return guess;
  guess.hint = fmt::format("'{}' belongs {}", name, alternatives(blocks));
  return guess;
}

KeyGuess name_from_elsewhere(std::string_view name, const std::vector<Listed>& all, std::string_view path) {
  KeyGuess guess;
  std::vector<std::string> words;
  for (const Listed& listed : all) {
    const auto& also = listed.key->also;
    if (std::find(also.begin(), also.end(), name) == also.end()) continue;
    // A counterpart in the same block leaves no doubt.
    if (matches(listed.block, path)) return {fmt::format("in knead: '{}'", listed.key->name), {listed.path()}};
    add_once(guess.meant, listed.path());
    add_once(words, without_stars(listed.path()));
  }
  if (!words.empty() && words.size() <= kMostPlaces) guess.hint = fmt::format("in knead: {}", alternatives(words));
  return guess;
}

/// A key of another block, misspelt by one letter.
KeyGuess near_key_elsewhere(std::string_view name, const std::vector<Listed>& all) {
  std::vector<std::string_view> names;
  for (const Listed& listed : all) names.push_back(listed.key->name);
  const std::string_view near = nearest(name, names);
  if (near.empty() || edit_distance(name, near) > 1) return {};
  return same_key_elsewhere(near, all);
}

}  // namespace

KeyGuess guess_key(std::string_view name, const Type& block, std::string_view path, const std::vector<Listed>& all) {
  std::vector<std::string_view> siblings;
  for (const Key& key : block.keys) siblings.push_back(key.name);
  const std::string_view near = nearest(name, siblings);
  KeyGuess sibling = near_sibling(near, path);
  KeyGuess brought = name_from_elsewhere(name, all, path);
  KeyGuess elsewhere = same_key_elsewhere(name, all);
  const bool one_slip = !near.empty() && edit_distance(name, near) == 1;

  KeyGuess best;
  for (const KeyGuess* guess : {one_slip ? &sibling : &brought, &brought, &elsewhere, &sibling}) {
    if (best.hint.empty()) best.hint = guess->hint;
    best.meant.insert(best.meant.end(), guess->meant.begin(), guess->meant.end());
  }
  return best.hint.empty() ? near_key_elsewhere(name, all) : best;
}

}  // namespace knead::schema
