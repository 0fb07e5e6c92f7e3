#include "schema/validate/unknown_key.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "schema/document/suggest.h"

namespace knead::schema {
namespace {

constexpr std::size_t kMostPlaces = 6;  // a hint that names more blocks does not help

/// Joins words as "a, b or c".
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

/// Returns whether a block lies inside one of the others. optimizer.groups repeats keys of
/// optimizer for some parameters and is not named besides it.
bool is_inside(const std::string& block, const std::vector<std::string>& others) {
  return std::any_of(others.begin(), others.end(), [&](const std::string& other) {
    return !other.empty() && block.starts_with(other + ".");
  });
}

/// Returns whether a name begins with the name of a block and continues: loss_balancing_lr is not a
/// slip of `loss`.
bool goes_on(std::string_view name, std::string_view near, const BlockContext& block) {
  constexpr std::size_t kEnding = 3;  // endings such as in losses and trained are slips
  const Key* key = find_key(block.type, near);
  const bool has_keys =
      key && (key->type->shape == Shape::block || key->type->shape == Shape::kinds);
  return has_keys && name.size() > near.size() + kEnding && folded(name).starts_with(folded(near));
}

/// Guesses the most similar key of the same block.
KeyGuess near_sibling(std::string_view name, std::string_view near, const BlockContext& block) {
  if (near.empty()) return {};
  const std::string meant =
      block.path.empty() ? std::string(near) : fmt::format("{}.{}", block.path, near);
  if (goes_on(name, near, block))
    return {fmt::format("'knead explain {}' shows what there is to say", meant), {meant}};
  return {fmt::format("did you mean '{}'?", near), {meant}};
}

/// Returns whether the recipe has a block of this key's path and kind without the key.
bool is_lacking(const Listed& listed, const std::vector<WrittenBlock>& written) {
  return std::any_of(written.begin(), written.end(), [&](const WrittenBlock& block) {
    const Node* type = block.node->find("type");
    return matches(listed.block, block.path) && !block.node->find(listed.key->name) &&
           (listed.kind.empty() || !type || type->text == listed.kind);
  });
}

/// Returns the entry of Key::also that matches a name, in any case and with any separators.
std::optional<Brought> brought_for(const Key& key, std::string_view name) {
  for (const std::string_view also : key.also) {
    const Brought one = brought(also);
    if (same_but_style(one.name, name)) return one;
  }
  return std::nullopt;
}

/// Returns the explanation of a name from other programs, of the first key that has one; empty if
/// none has.
std::string_view explained(std::string_view name, const std::vector<Listed>& all) {
  for (const Listed& listed : all) {
    const std::optional<Brought> found = brought_for(*listed.key, name);
    if (found && !found->words.empty()) return found->words;
  }
  return {};
}

/// Guesses blocks that have a key of exactly this name. The hint adds what it may mean elsewhere.
KeyGuess same_key_elsewhere(std::string_view name, const std::vector<Listed>& all,
                            const std::vector<WrittenBlock>& written) {
  KeyGuess guess;
  std::vector<std::string> blocks, lacking;
  for (const Listed& listed : all) {
    if (listed.key->name != name || name == "type") continue;
    add_once(guess.meant, listed.path());
    if (is_inside(listed.block, blocks)) continue;
    add_once(blocks, listed.block);
    if (is_lacking(listed, written)) add_once(lacking, listed.block);
  }
  if (!lacking.empty()) blocks = std::move(lacking);
  if (blocks.empty() || blocks.size() > kMostPlaces) return guess;
  for (std::string& block : blocks)
    block = block.empty() ? "at the top level" : "under " + without_stars(block);
  const std::string_view other = explained(name, all);
  guess.hint = fmt::format("'{}' belongs {}{}{}", name, alternatives(blocks),
                           other.empty() ? "" : ", or in knead: ", other);
  return guess;
}

/// Adds the key that an explanation begins with, if it is one: batch.size in "batch.size and
/// batch.micro: …".
void add_first_of(std::string_view words, const std::vector<Listed>& all,
                  std::vector<std::string>& meant) {
  const std::string_view first = words.substr(0, words.find_first_of(" ,;:"));
  const bool is_key = std::any_of(all.begin(), all.end(),
                                  [&](const Listed& listed) { return listed.is_at(first); });
  if (is_key) add_once(meant, std::string(first));
}

/// Guesses a key of this block by its name in other programs.
KeyGuess name_for_this_block(std::string_view name, const std::vector<Listed>& all,
                             const BlockContext& block) {
  for (const Listed& listed : all) {
    const bool is_here =
        matches(listed.block, block.path) && (block.kind.empty() || listed.kind == block.kind);
    const std::optional<Brought> found = is_here ? brought_for(*listed.key, name) : std::nullopt;
    if (!found) continue;
    if (found->words.empty())
      return {fmt::format("in knead: '{}'", listed.key->name), {listed.path()}};
    KeyGuess guess{fmt::format("in knead: {}", found->words), {listed.path()}};
    add_first_of(found->words, all, guess.meant);
    return guess;
  }
  return {};
}

/// Returns whether a name such as `_component_` stands for the `type` of this block.
bool stands_for_type(const Brought& found, const BlockContext& block) {
  return found.words.starts_with("type, ") && find_key(block.type, "type");
}

/// Guesses keys of other blocks by their name in other programs.
KeyGuess name_for_another_block(std::string_view name, const std::vector<Listed>& all,
                                const BlockContext& block) {
  KeyGuess guess;
  std::vector<std::string> words, blocks;
  for (const Listed& listed : all) {
    const std::optional<Brought> found = brought_for(*listed.key, name);
    if (!found) continue;
    if (listed.is_at(block.path) && !block.type.scalar_key.empty()) {  // evaluate.eval_strategy
      return {fmt::format("in knead: '{}'", block.type.scalar_key),
              {fmt::format("{}.{}", block.path, block.type.scalar_key)}};
    }
    if (stands_for_type(*found, block))
      return {fmt::format("in knead: {}", found->words), {fmt::format("{}.type", block.path)}};
    add_once(guess.meant, listed.path());
    add_first_of(found->words, all, guess.meant);
    if (!found->words.empty() && guess.hint.empty())
      guess.hint = fmt::format("in knead: {}", found->words);
    if (is_inside(listed.block, blocks)) continue;
    add_once(blocks, listed.block);
    add_once(words, without_stars(listed.path()));
  }
  if (guess.hint.empty() && !words.empty() && words.size() <= kMostPlaces)
    guess.hint = fmt::format("in knead: {}", alternatives(words));
  return guess;
}

/// Guesses the other kinds of this block that have the key.
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

/// Guesses a key elsewhere, or one of its names in other programs, that is one edit away.
KeyGuess near_key_elsewhere(std::string_view name, const std::vector<Listed>& all,
                            const BlockContext& block, const std::vector<WrittenBlock>& written) {
  constexpr std::size_t kShortest = 5;  // in a shorter word, one edit gives another word
  if (name.size() < kShortest) return {};
  std::string_view near;
  // The first one counts, but one that is the same in another style counts more.
  const auto consider = [&](std::string_view other) {
    if (!one_edit_apart(name, other)) return;
    const bool is_nearer = !same_but_style(name, near) && same_but_style(name, other);
    if (near.empty() || is_nearer) near = other;
  };
  for (const Listed& listed : all) consider(listed.key->name);
  if (near.empty()) {
    for (const Listed& listed : all) {
      for (const std::string_view also : listed.key->also) consider(brought(also).name);
    }
    return near.empty() ? KeyGuess{} : name_for_another_block(near, all, block);
  }
  KeyGuess other_kind = key_of_another_kind(near, all, block);
  return other_kind.hint.empty() ? same_key_elsewhere(near, all, written) : other_kind;
}

void collect_blocks(const Node& node, const std::string& path, std::vector<WrittenBlock>& all) {
  constexpr std::size_t kMostBlocks = 300;  // bounds the time; written recipes have fewer
  if (all.size() == kMostBlocks) return;
  if (node.is_map()) all.push_back({path, &node});
  const std::string before = path.empty() ? "" : path + ".";
  for (const Entry& entry : node.entries) collect_blocks(entry.value, before + entry.key, all);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    collect_blocks(node.items[i], before + std::to_string(i), all);
}

}  // namespace

std::vector<WrittenBlock> written_blocks(const Node& tree) {
  std::vector<WrittenBlock> all;
  collect_blocks(tree, "", all);
  return all;
}

KeyGuess guess_key(std::string_view name, const BlockContext& block, const std::vector<Listed>& all,
                   const std::vector<WrittenBlock>& written) {
  KeyGuess other_kind = key_of_another_kind(name, all, block);
  if (!other_kind.hint.empty()) {
    other_kind.meant = same_key_elsewhere(name, all, written).meant;
    return other_kind;
  }

  // Of two equally similar keys, the one that is not written yet is preferred.
  std::vector<std::string_view> siblings;
  for (const Key& key : block.type.keys) siblings.push_back(key.name);
  std::stable_partition(siblings.begin(), siblings.end(),
                        [&](std::string_view sibling) { return !block.written.contains(sibling); });
  const std::string_view near = nearest(name, siblings);
  const KeyGuess sibling = near_sibling(name, near, block);
  const KeyGuess here = name_for_this_block(name, all, block);
  const KeyGuess elsewhere = same_key_elsewhere(name, all, written);
  const KeyGuess there = name_for_another_block(name, all, block);
  const bool is_slip =
      !near.empty() && edit_distance(name, near) == 1 && !block.written.contains(near);

  // The first hint counts. All candidates become doubtful, because the user may have meant any one.
  KeyGuess best;
  for (const KeyGuess* guess :
       {&here, is_slip ? &sibling : &elsewhere, &elsewhere, &there, &sibling}) {
    if (best.hint.empty()) best.hint = guess->hint;
    best.meant.insert(best.meant.end(), guess->meant.begin(), guess->meant.end());
  }
  return best.hint.empty() && best.meant.empty() ? near_key_elsewhere(name, all, block, written)
                                                 : best;
}

}  // namespace knead::schema
