#include "runner/peers/words.h"

#include <algorithm>

#include "schema/document/suggest.h"

namespace knead::peers {
namespace {

/// A name in a row of a table, with its default value.
struct PeerName {
  std::string_view name;
  std::string_view usual;
};

std::vector<PeerName> names_of(std::string_view row) {
  std::vector<PeerName> names;
  for (const std::string_view word : words_of(row)) {
    const std::size_t equals = std::min(word.find('='), word.size());
    names.push_back({word.substr(0, equals), word.substr(std::min(equals + 1, word.size()))});
  }
  return names;
}

/// Returns how well a name matches a path, 0 if it does not: longer names match better, and a name
/// without '*' best.
std::size_t closeness(std::string_view name, std::string_view path) {
  if (name == path) return path.size() + 1;
  return fits(name, path) ? name.size() : 0;
}

/// Finds the best counterpart of a path, and returns its closeness.
std::size_t closeness_of_part(const Peer& peer, std::string_view path, std::optional<Part>& part) {
  std::size_t best = 0;
  for (const Counterpart& row : peer.counterparts) {
    const std::size_t close = closeness(row.theirs, path);
    if (close <= best) continue;
    best = close;
    part = row.part;
  }
  return best;
}

/// Finds the best entry of a path among the keys without a counterpart, and returns its closeness.
std::size_t closeness_of_missing(const Peer& peer, std::string_view path,
                                 std::optional<Missing>& missing) {
  std::size_t best = 0;
  for (const Without& row : peer.without) {
    for (const PeerName& named : names_of(row.theirs)) {
      const std::size_t close = closeness(named.name, path);
      if (close <= best) continue;
      best = close;
      missing = {&row, named.usual};
    }
  }
  return best;
}

/// Returns the shortest name that begins with a path ("lr_scheduler_type" for lr_scheduler), or an
/// empty text.
std::string_view shortest_that_begins(std::string_view path,
                                      std::span<const std::string_view> names) {
  // Shorter paths, such as "eval", begin too many keys.
  constexpr std::size_t kShortest = 5;
  std::string_view best;
  for (const std::string_view name : names) {
    const bool begins = path.size() >= kShortest && name.starts_with(path);
    if (begins && (best.empty() || name.size() < best.size())) best = name;
  }
  return best;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view row) {
  std::vector<std::string_view> words;
  while (!row.empty()) {
    const std::size_t end = std::min(row.find(' '), row.size());
    words.push_back(row.substr(0, end));
    row.remove_prefix(std::min(end + 1, row.size()));
  }
  return words;
}

bool fits(std::string_view name, std::string_view path) {
  if (!name.ends_with('*')) return name == path;
  name.remove_suffix(1);
  // A row "block.*" also covers a file that gives the block as a single value.
  return path.starts_with(name) || name == std::string(path) + ".";
}

std::optional<Mounted> mounted_in(const Peer& peer, std::string_view path) {
  for (const Mount& mount : peer.mounts) {
    const std::size_t length = mount.theirs.size();
    if (path.size() > length + 1 && path.starts_with(mount.theirs) && path[length] == '.')
      return Mounted{&mount, path.substr(length + 1)};
  }
  return std::nullopt;
}

std::optional<Part> part_of(const Peer& peer, std::string_view path) {
  if (const std::optional<Mounted> mounted = mounted_in(peer, path))
    return part_of(*mounted->mount->peer, mounted->rest);
  std::optional<Part> part;
  std::optional<Missing> missing;
  const std::size_t close = closeness_of_part(peer, path, part);
  return close > closeness_of_missing(peer, path, missing) ? part : std::nullopt;
}

std::optional<Missing> missing_of(const Peer& peer, std::string_view path) {
  if (const std::optional<Mounted> mounted = mounted_in(peer, path))
    return missing_of(*mounted->mount->peer, mounted->rest);
  std::optional<Missing> missing;
  closeness_of_missing(peer, path, missing);
  return missing;
}

bool knows(const Peer& peer, std::string_view path) {
  return part_of(peer, path) || missing_of(peer, path);
}

bool knows_below(const Peer& peer, std::string_view path) {
  if (const std::optional<Mounted> mounted = mounted_in(peer, path))
    return knows_below(*mounted->mount->peer, mounted->rest);
  const std::string block = std::string(path) + ".";
  for (const Mount& mount : peer.mounts) {
    if (mount.theirs == path || mount.theirs.starts_with(block)) return true;
  }
  for (const Counterpart& row : peer.counterparts) {
    if (row.theirs.starts_with(block)) return true;
  }
  for (const Without& row : peer.without) {
    for (const PeerName& named : names_of(row.theirs)) {
      if (named.name.starts_with(block)) return true;
    }
  }
  return false;
}

std::string nearest_name(const Peer& peer, std::string_view path) {
  if (const std::optional<Mounted> mounted = mounted_in(peer, path)) {
    const std::string near = nearest_name(*mounted->mount->peer, mounted->rest);
    return near.empty() ? near : std::string(mounted->mount->theirs) + "." + near;
  }
  std::vector<std::string_view> names;
  for (const Counterpart& row : peer.counterparts) names.push_back(row.theirs);
  for (const Without& row : peer.without) {
    for (const PeerName& named : names_of(row.theirs)) names.push_back(named.name);
  }
  std::erase_if(names, [](std::string_view name) { return name.ends_with('*'); });
  const std::string_view near = schema::nearest(path, names);
  const bool is_slip = !near.empty() && schema::edit_distance(path, near) <= 2;
  return is_slip ? std::string(near) : std::string(shortest_that_begins(path, names));
}

}  // namespace knead::peers
