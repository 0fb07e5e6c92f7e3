#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/peers/peer.h"

namespace knead::peers {

/// What stands between the blanks of a row.
std::vector<std::string_view> words_of(std::string_view row);

/// Whether a name of a table, with a '*' at its end or without, stands for a dotted path.
bool fits(std::string_view name, std::string_view path);

/// What a key means; nothing where it has no counterpart. An exact name goes before one with '*'.
std::optional<Part> part_of(const Peer& peer, std::string_view path);

/// Why a key has none.
struct Missing {
  const Without* row;
  std::string_view usual;  // its value where nobody changed it; empty if that is false or nothing
};
std::optional<Missing> missing_of(const Peer& peer, std::string_view path);

/// Whether they know it at all.
bool knows(const Peer& peer, std::string_view path);

/// Whether a path is a block whose keys they know.
bool knows_below(const Peer& peer, std::string_view path);

/// The key of theirs that was most likely meant; empty if none is near.
std::string nearest_name(const Peer& peer, std::string_view path);

}  // namespace knead::peers
