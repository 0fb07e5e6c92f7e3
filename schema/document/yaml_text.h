#pragma once

#include <string>
#include <string_view>

#include "schema/document/node.h"

namespace knead::schema {

/// Writes a text as a YAML scalar: plain if YAML 1.1 and 1.2 readers both take it for the same
/// text, otherwise in double quotes. The result is one line in any position, as a key, an item or a
/// value: "yes" and "12:30" get quotes, and a line end becomes \n.
std::string word_as_yaml(std::string_view text);

/// Returns a text with `$${` for each `${`, which reads back as the text where references to the
/// environment are replaced.
std::string with_escapes(std::string_view text);

/// Writes a text as word_as_yaml(), for a recipe: writes `${` as `$${`, so that reading the recipe
/// does not replace it.
std::string text_as_yaml(std::string_view text);

/// Writes a scalar in canonical form: 0.001 for 1e-3, 31 for 0x1F. The kind decides: the number 1
/// is "1.0", the integer is "1". Does not hide secrets.
std::string scalar_as_yaml(const Node& node);

/// Writes a tree in one line: "{type: adamw, betas: [0.9, 0.999]}". Equal trees give equal texts,
/// so callers compare values by them; the order of keys counts. A secret is its reference.
std::string flow_as_yaml(const Node& node);

}  // namespace knead::schema
