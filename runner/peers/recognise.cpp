#include "runner/peers/recognise.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "runner/peers/strangers.h"
#include "runner/peers/theirs.h"
#include "runner/peers/words.h"

namespace knead::peers {
namespace {

std::string names_of_peers() {
  std::vector<std::string_view> titles;
  for (const Peer* peer : peers()) titles.push_back(peer->title);
  return fmt::format("{}", fmt::join(titles, ", "));
}

/// Counts the patterns that match a key of the file.
std::size_t count_found(const Outline& outline, std::string_view patterns) {
  const std::vector<std::string_view> all = words_of(patterns);
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](std::string_view one) { return outline.find(one) != nullptr; }));
}

/// Returns whether a file has enough marks of a trainer. One mark suffices if the trainer knows all
/// keys, because a small file has few marks.
bool has_marks(const Peer& peer, const Outline& outline, const Known& known) {
  const bool has_needed = peer.needs.empty() || count_found(outline, peer.needs) > 0;
  const std::size_t marks = count_found(outline, peer.marks);
  return has_needed && marks >= (known.keys == known.all ? 1 : peer.fewest);
}

/// Returns whether a trainer knows at least half of the keys.
bool knows_most(const Known& known) { return 2 * known.keys >= known.all; }

/// Returns the trainer whose marks a file has, or null. Of several, the one that knows most keys.
const Peer* marked(const schema::Node& root, const Outline& outline) {
  const Peer* best = nullptr;
  std::size_t most = 0;
  for (const Peer* peer : peers()) {
    const Known known = known_keys(*peer, root);
    if (!knows_most(known) || !has_marks(*peer, outline, known) || known.keys <= most) continue;
    best = peer;
    most = known.keys;
  }
  return best;
}

/// The trainer that knows the largest share of a file's keys, and the number of trainers with that
/// share.
struct Nearest {
  const Peer* peer = nullptr;
  Known known;
  int ties = 0;
};

Nearest nearest_peer(const schema::Node& root) {
  Nearest nearest;
  for (const Peer* peer : peers()) {
    const Known known = known_keys(*peer, root);
    const auto share = [](const Known& of) {
      return static_cast<double>(of.keys) / static_cast<double>(std::max<std::size_t>(of.all, 1));
    };
    // Shares and not numbers of keys are compared: a large table knows a few keys of every file.
    const double more = nearest.peer ? share(known) - share(nearest.known) : 1;
    if (more > 0)
      nearest = {peer, known, 1};
    else
      nearest.ties += more == 0 ? 1 : 0;
  }
  return nearest;
}

Error error_with(const std::string& what, const std::string& remedy) {
  return Error(what, remedy, Exit::invalid_recipe);
}

/// Reports a file in which one block would be a file of a known trainer.
void refuse_block(const schema::Node& root, const std::string& file) {
  for (const schema::Entry& entry : root.entries) {
    if (!entry.value.is_map()) continue;
    const Peer* peer = marked(entry.value, Outline(entry.value));
    if (!peer) continue;
    throw error_with(
        fmt::format("{} is not recognised, but its block '{}' in line {} has the keys "
                    "of {}",
                    file, entry.key, entry.place.line(), peer->title),
        fmt::format("write what is below '{}' to a file of its own and import that", entry.key));
  }
}

/// Returns the first top-level key that a trainer does not know, or null.
const schema::Entry* first_unknown(const Peer& peer, const schema::Node& root) {
  const auto found =
      std::find_if(root.entries.begin(), root.entries.end(), [&](const schema::Entry& entry) {
        return !knows(peer, entry.key) && !knows_below(peer, entry.key);
      });
  return found == root.entries.end() ? nullptr : &*found;
}

/// Returns the error for a file without marks, with the most useful explanation.
Error not_recognised(const schema::Node& root, const std::string& file) {
  const Nearest nearest = nearest_peer(root);
  if (nearest.known.keys == 0)
    return no_file_of_theirs(file, "has no key that another trainer has");
  // A block that is a file of its own explains more than the nearest trainer of the whole file.
  refuse_block(root, file);
  if (nearest.known.keys == nearest.known.all && nearest.ties > 1)
    return error_with(
        fmt::format("{} could be a file of several trainers", file),
        "say whose it is: --from=accelerate, transformers, axolotl, torchtune or deepspeed");
  const schema::Entry* unknown = first_unknown(*nearest.peer, root);
  const std::string lacking =
      unknown ? fmt::format("not '{}' (line {})", unknown->key, unknown->place.line())
              : "none that only its files have";
  const std::string read = fmt::format("knead reads files of {}", names_of_peers());
  const std::string forced =
      fmt::format("; --from={} reads it as a file of {}", nearest.peer->name, nearest.peer->title);
  return error_with(
      fmt::format("{} is not recognised: {}, the nearest, has {} of its {} keys, but "
                  "{}",
                  file, nearest.peer->title, nearest.known.keys, nearest.known.all, lacking),
      knows_most(nearest.known) ? read + forced : read);
}

}  // namespace

Error no_file_of_theirs(const std::string& file, const std::string& why) {
  return Error(fmt::format("{} {}", file, why),
               fmt::format("knead reads files of {}", names_of_peers()), Exit::invalid_recipe);
}

void refuse_stranger(const Outline& outline, const std::string& file) {
  const Named named = stranger_of(outline);
  if (!named.stranger) return;
  throw no_file_of_theirs(
      file, fmt::format("is {}{} ('{}' in line {}), which knead does not read",
                        named.stranger->kind, named.stranger->name, named.key, named.line));
}

const Peer& recognised(const schema::Node& root, const std::string& file) {
  if (const Peer* peer = marked(root, Outline(root))) return *peer;
  throw not_recognised(root, file);
}

}  // namespace knead::peers
