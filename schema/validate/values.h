#pragma once

#include <string>
#include <variant>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// Describes what is wrong with one value.
struct Fault {
  std::string code;  // the slug of a Problem
  std::string message;
  std::string hint;
};

/// Checks a scalar (boolean, integer, number, text, choice, quantity) and returns its canonical
/// form: 1e3 as the integer 1000 for an integer, "900 s" as "15 min", a path made absolute. `path`
/// is the dotted path for messages; `home` is the folder that relative paths in arguments start
/// from. A path in a file starts from the folder of that file, and need not exist.
///
/// Infinity and NaN are faults. A floating-point notation for an integer is limited to 2^53, beyond
/// which it would not be exact, and a quantity to 9e18. A value from the environment counts as text
/// where text is expected. For any other shape the result is a fault of the type.
std::variant<Node, Fault> check_value(const Type& type, Node node, const std::string& path,
                                      const std::string& home);

/// Returns the fault of a value that does not have the expected type. Its hint says what to write
/// if the intention is clear: "write true" for yes.
Fault wrong_type(const Type& type, const Node& node, const std::string& path);

/// Returns the fault of a value that has neither the expected type nor is 'auto'.
Fault wrong_type_or_auto(const Type& type, const Node& node, const std::string& path);

/// Returns the fault of a word that is not one of `choices`, with the most similar choice as the
/// hint. A known word of another program ("gpu") has precedence over a similar spelling.
Fault unknown_choice(std::string_view word, const std::string& path,
                     std::span<const std::string_view> choices);

}  // namespace knead::schema
