#pragma once

#include <string>
#include <variant>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schema {

/// What is wrong with one value.
struct Fault {
  std::string code;
  std::string message;
  std::string hint;
};

/// Holds a scalar against a type of scalars (boolean, integer, number, text, choice, quantity).
/// Gives it back in its canonical form: 1e3 as the integer 1000 where one is wanted, "900 s" as "15
/// min", a path made absolute. `path`: the dotted path for messages. `home`: where relative paths
/// in arguments start.
std::variant<Node, Fault> check_value(const Type& type, Node node, const std::string& path,
                                      const std::string& home);

/// The fault of a value that is not of the wanted type at all.
Fault wrong_type(const Type& type, const Node& node, const std::string& path);

/// The same of a key that may also be 'auto'.
Fault wrong_type_or_auto(const Type& type, const Node& node, const std::string& path);

/// The fault of a word that is none of the choices.
Fault unknown_choice(std::string_view word, const std::string& path,
                     std::span<const std::string_view> choices);

}  // namespace knead::schema
