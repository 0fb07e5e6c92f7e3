#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/peers/peer.h"

namespace knead::peers {

/// Splits a row of a table at its single blanks. The views refer to `row`.
std::vector<std::string_view> words_of(std::string_view row);

/// Returns whether a name of a table matches a dotted path. A '*' at its end matches any rest and
/// the block itself: "fsdp_config.*" fits "fsdp_config.a.b" and "fsdp_config".
bool fits(std::string_view name, std::string_view path);

/// The program whose configuration a key stands in, and its name there.
struct Mounted {
  const Mount* mount;
  /// The rest of the path, which refers to the path that was asked for.
  std::string_view rest;
};
/// Returns the block of another program that a key of a trainer stands in, or std::nullopt.
std::optional<Mounted> mounted_in(const Peer& peer, std::string_view path);

/// Returns the meaning of a key, or std::nullopt if it has no counterpart or the trainer has no
/// such key. An exact name has precedence over one with '*', and a longer name over a shorter one;
/// of equals, the table of keys without a counterpart decides. Takes time in proportion to the
/// trainer's tables.
std::optional<Part> part_of(const Peer& peer, std::string_view path);

/// The reason why a key has no counterpart.
struct Missing {
  /// The row with the reason; it has static lifetime.
  const Without* row;
  /// The key's default value as YAML; empty if the table gives none, which means false or null.
  std::string_view usual;
};
/// Returns why a key has no counterpart, or std::nullopt if no table says so. Looks only at the
/// table of such keys, so part_of() must have returned std::nullopt for the key before.
std::optional<Missing> missing_of(const Peer& peer, std::string_view path);

/// Returns whether a trainer has this key, with a counterpart or without one.
bool knows(const Peer& peer, std::string_view path);

/// Returns whether a path is a block of which the trainer's tables name keys: "fsdp_config" if they
/// have "fsdp_config.*" or "fsdp_config.offload".
bool knows_below(const Peer& peer, std::string_view path);

/// Returns the key of a trainer that a path is probably a misspelling of, or an empty text: a key
/// that at most two edits lead to, or else the shortest key that begins with the path
/// ("lr_scheduler_type" for lr_scheduler), if the path has at least 5 characters.
std::string nearest_name(const Peer& peer, std::string_view path);

}  // namespace knead::peers
