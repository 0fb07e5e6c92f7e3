#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "schema/document/node.h"

namespace knead::schema {

/// Sets the kind and value of `node` from its text by the YAML 1.2 core schema: `1e-4` is a number;
/// `yes`, `1_000` and `12:30` are text. yaml-cpp cannot be used for this: it reads `010` as 8 and
/// `yes` as true. Returns what is wrong with a number that has a leading zero or does not fit in 64
/// bits; the kind is then text.
///
/// The notations are those of YAML 1.2.2, section 10.3.2: 0o17 and 0x1F are integers, `.inf` and
/// `.nan` are numbers, an empty text is null. A floating-point number beyond the range of a double
/// becomes infinity or 0. Reads `node.text`, and ignores `plain`.
std::optional<std::string> resolve_plain(Node& node);

/// Returns how many bytes at the beginning of a text form a decimal number: `.5`, `1.`, `1.5`,
/// `1e9`, `1.5e-3`, each with an optional sign. Returns 0 if it does not begin with one. An 'e'
/// without digits does not belong to the number: 1 for `1epoch`.
std::size_t decimal_length(std::string_view text);

/// Returns whether the text is a number with a leading zero (`012`, `-007`, `00.5`), which YAML
/// 1.1, YAML 1.2 and C read differently.
bool has_leading_zero(std::string_view text);

/// Returns the shortest text that reads back as the same number: "0.001", "1e-08", "3". Infinity
/// and NaN are written as YAML has them: ".inf", "-.inf", ".nan".
std::string number_text(double value);

/// Builds a number or an integer, as if it were written as number_text() writes it.
Node number_node(double value, Place place);
Node integer_node(std::int64_t value, Place place);

}  // namespace knead::schema
