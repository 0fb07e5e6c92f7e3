#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/document/node.h"

namespace knead::schema {

/// Gives `node` the kind and value its text has by the YAML 1.2 core schema: `1e-4` is a number,
/// `yes`, `1_000` and `12:30` are text. Written here and not left to yaml-cpp, which reads `010` as
/// 8 and `yes` as true. Returns what is wrong with the text, if anything: a leading zero, or a
/// whole number beyond 64 bits. The node is text then.
std::optional<std::string> resolve_plain(Node& node);

/// How much of a text, from its beginning, is a number: `.5`, `1.`, `1.5`, `1e9`, `1.5e-3`, `12`.
std::size_t decimal_length(std::string_view text);

/// True where the text is a number with a leading zero (`012`, `-007`, `00.5`), which YAML 1.1,
/// YAML 1.2 and C read differently.
bool has_leading_zero(std::string_view text);

/// The shortest text that reads back as the same number: "0.001", "1e-08", "3".
std::string number_text(double value);

}  // namespace knead::schema
