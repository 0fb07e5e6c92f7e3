#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/peers/peer.h"

namespace knead::peers {

/// Splits a row of a table at its blanks. The views refer to `row`.
std::vector<std::string_view> words_of(std::string_view row);

/// Returns whether a name of a table matches a dotted path. A '*' at its end matches any rest.
bool fits(std::string_view name, std::string_view path);

/// Returns the meaning of a key, or std::nullopt if it has no counterpart. An exact name has
/// precedence over one with '*', and a longer name over a shorter one.
std::optional<Part> part_of(const Peer& peer, std::string_view path);

/// The reason why a key has no counterpart.
struct Missing {
  const Without* row;
  std::string_view usual;  // its default value; empty: false or null
};
/// Returns the reason why a key has no counterpart, or std::nullopt if no table says so.
std::optional<Missing> missing_of(const Peer& peer, std::string_view path);

/// Returns whether a trainer has this key.
bool knows(const Peer& peer, std::string_view path);

/// Returns whether a path is a block with keys that the trainer has.
bool knows_below(const Peer& peer, std::string_view path);

/// Returns the key of a trainer that is most similar to a path, or an empty text if none is.
std::string nearest_name(const Peer& peer, std::string_view path);

}  // namespace knead::peers
