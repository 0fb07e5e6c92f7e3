#include "schema/unknown_key.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/suggest.h"

namespace knead::schema {
namespace {

constexpr std::size_t kMostPlaces = 5;  // a key that stands in more blocks says nothing

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

/// Whether a block lies inside one of the others: optimizer.groups, which may say for some
/// parameters what optimizer says for all.
bool is_inside(const std::string& block, const std::vector<std::string>& others) {
  return std::any_of(others.begin(), others.end(), [&](const std::string& other) {
    return !other.empty() && block.starts_with(other + ".");
  });
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
    if (!is_inside(listed.block, blocks)) add_once(blocks, listed.block);
  }
  if (blocks.empty() || blocks.size() > kMostPlaces) return guess;
  for (std::string& block : blocks)
    block = block.empty() ? "at the top level" : "under " + without_stars(block);
  guess.hint = fmt::format("'{}' belongs {}", name, alternatives(blocks));
  return guess;
}

/// Whether a name is one that people bring along for a key, however they join its words.
bool is_brought_for(const Key& key, std::string_view name) {
  return std::any_of(key.also.begin(), key.also.end(),
                     [&](std::string_view also) { return folded(also) == folded(name); });
}

KeyGuess name_for_this_block(std::string_view name, const std::vector<Listed>& all,
                             const BlockContext& block) {
  for (const Listed& listed : all) {
    const bool is_here =
        matches(listed.block, block.path) && (block.kind.empty() || listed.kind == block.kind);
    if (is_here && is_brought_for(*listed.key, name)) {
      return {fmt::format("in knead: '{}'", listed.key->name), {listed.path()}};
    }
  }
  return {};
}

KeyGuess name_for_another_block(std::string_view name, const std::vector<Listed>& all) {
  KeyGuess guess;
  std::vector<std::string> words, blocks;
  for (const Listed& listed : all) {
    if (!is_brought_for(*listed.key, name)) continue;
    add_once(guess.meant, listed.path());
    if (is_inside(listed.block, blocks)) continue;
    add_once(blocks, listed.block);
    add_once(words, without_stars(listed.path()));
  }
  if (!words.empty() && words.size() <= kMostPlaces)
    guess.hint = fmt::format("in knead: {}", alternatives(words));
  return guess;
}

KeyGuess key_of_another_kind(std::string_view name, const std::vector<Listed>& all,
                             const BlockContext& block) {
  std::vector<std::string> kinds;
  for (const Listed& listed : all) {
    if (listed.key->name == name && !listed.kind.empty() && matches(listed.block, block.path)) {
      add_once(kinds, "type: " + listed.kind);
    }
  }
  if (kinds.empty() || block.kind.empty()) return {};
  return {fmt::format("'{}' goes with {}", name, alternatives(kinds)), {}};
}

/// A key of another block or kind, misspelt by one letter.
KeyGuess near_key_elsewhere(std::string_view name, const std::vector<Listed>& all,
                            const BlockContext& block) {
  std::vector<std::string_view> names;
  for (const Listed& listed : all) names.push_back(listed.key->name);
  const std::string_view near = nearest(name, names);
  if (near.empty() || edit_distance(name, near) > 1) return {};
  KeyGuess other_kind = key_of_another_kind(near, all, block);
  return other_kind.hint.empty() ? same_key_elsewhere(near, all) : other_kind;
}

}  // namespace

KeyGuess guess_key(std::string_view name, const BlockContext& block,
                   const std::vector<Listed>& all) {
  KeyGuess other_kind = key_of_another_kind(name, all, block);
  if (!other_kind.hint.empty()) {
    other_kind.meant = same_key_elsewhere(name, all).meant;
    return other_kind;
  }

  std::vector<std::string_view> siblings;
  for (const Key& key : block.type.keys) siblings.push_back(key.name);
  const std::string_view near = nearest(name, siblings);
  const KeyGuess sibling = near_sibling(near, block.path);
  const KeyGuess here = name_for_this_block(name, all, block);
  const KeyGuess elsewhere = same_key_elsewhere(name, all);
  const KeyGuess there = name_for_another_block(name, all);
  const bool is_slip =
      !near.empty() && edit_distance(name, near) == 1 && !block.written.contains(near);

  KeyGuess best;
  for (const KeyGuess* guess :
       {&here, is_slip ? &sibling : &elsewhere, &elsewhere, &there, &sibling}) {
    if (best.hint.empty()) best.hint = guess->hint;
    best.meant.insert(best.meant.end(), guess->meant.begin(), guess->meant.end());
  }
  return best.hint.empty() && best.meant.empty() ? near_key_elsewhere(name, all, block) : best;
}

}  // namespace knead::schema
