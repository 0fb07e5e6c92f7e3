#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runner/peers/outline.h"

namespace knead::peers {

/// A kind of file that knead can name but not import.
struct Stranger {
  std::string_view name;
  /// Keys that identify the file: alternatives separated by '|', each a list of keys that must all
  /// be present. A key is dotted, '*' matches any name, and "key=text" also requires the value.
  std::string_view marks;
  std::string_view kind = "a configuration of ";  // precedes the name in messages
};

/// Returns all kinds; the first one with matching marks applies.
std::span<const Stranger> strangers();

/// A recognised kind with the key that identified it. `stranger` is null if no kind matches.
struct Named {
  const Stranger* stranger = nullptr;
  std::string key{};
  int line = 0;
};
/// Recognises the kind of a file by its keys.
Named stranger_of(const Outline& outline);

}  // namespace knead::peers
