#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runner/peers/outline.h"

namespace knead::peers {

/// A kind of file that knead can name, and does not read.
struct Stranger {
  std::string_view name;
  /// Keys that show it: ways with '|' between them, each of keys that have to be there together.
  /// A key is dotted, '*' is any name, and "key=text" wants that text.
  std::string_view marks;
  std::string_view kind = "a configuration of ";  // before the name
};

/// All of them. A file is of the first whose marks it has.
std::span<const Stranger> strangers();

/// What kind of file it is, and by which key; nothing where the file has no such marks.
struct Named {
  const Stranger* stranger = nullptr;
  std::string key{};
  int line = 0;
};
Named stranger_of(const Outline& outline);

}  // namespace knead::peers
