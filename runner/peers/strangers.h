#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runner/peers/outline.h"

namespace knead::peers {

/// A kind of file that knead can name but not import. A message that names the program helps more
/// than one that lists unknown keys. All views have static lifetime.
struct Stranger {
  /// Name of the program in messages: "Ludwig".
  std::string_view name;
  /// Keys that identify the file: alternatives separated by '|', each a list of keys that must all
  /// be present. A key is dotted, '*' matches any name, and "key=text" also requires the value.
  std::string_view marks;
  /// Precedes the name in messages: "is a configuration of Ludwig".
  std::string_view kind = "a configuration of ";
};

/// Returns all kinds; the first one with matching marks applies, so a program that builds on
/// another one stands before it.
std::span<const Stranger> strangers();

/// A recognised kind with the key that identified it. `stranger` is null if no kind matches; the
/// other members are then empty.
struct Named {
  const Stranger* stranger = nullptr;
  /// The first of the identifying keys, dotted, as the file has it.
  std::string key{};
  /// Line of this key in the file, from 1.
  int line = 0;
};
/// Recognises the kind of a file by its keys. Never throws for an unknown file.
Named stranger_of(const Outline& outline);

}  // namespace knead::peers
