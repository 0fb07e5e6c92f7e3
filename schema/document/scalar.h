#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/document/node.h"

namespace knead::schema {

/// Sets the kind and value of `node` from its text by the YAML 1.2 core schema: `1e-4` is a number;
/// `yes`, `1_000` and `12:30` are text. yaml-cpp cannot be used for this: it reads `010` as 8 and
/// `yes` as true. Returns what is wrong with a number that has a leading zero or does not fit in 64
/// bits.
std::optional<std::string> resolve_plain(Node& node);

/// Returns how many bytes at the beginning of a text form a number: `.5`, `1.`, `1.5`, `1e9`,
/// `1.5e-3`.
std::size_t decimal_length(std::string_view text);

/// Returns whether the text is a number with a leading zero (`012`, `-007`, `00.5`), which YAML
/// 1.1, YAML 1.2 and C read differently.
bool has_leading_zero(std::string_view text);

/// Returns the shortest text that reads back as the same number: "0.001", "1e-08", "3".
std::string number_text(double value);

}  // namespace knead::schema
