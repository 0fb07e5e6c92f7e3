#include "schema/validate/values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "schema/document/scalar.h"
#include "schema/document/suggest.h"
#include "schema/table/format.h"
#include "schema/table/type_words.h"

namespace knead::schema {
namespace {

using Value = std::variant<Node, Fault>;

/// Words of other programs (folded) that are more similar to a wrong choice than to the right one.
constexpr std::pair<std::string_view, std::string_view> kSynonyms[] = {
    {"gpu", "cuda"},          {"adam", "adamw"},
    {"16", "fp16"},           {"16mixed", "fp16"},
    {"half", "fp16"},         {"32", "fp32"},
    {"no", "fp32"},           {"warmupstabledecay", "wsd"},
    {"noam", "inverse_sqrt"}, {"reducelronplateau", "plateau"},
    {"ce", "cross_entropy"},  {"crossentropyloss", "cross_entropy"},
    {"mseloss", "mse"},       {"float", "float32"},
    {"double", "float64"},    {"long", "int64"},
    {"int", "int64"},         {"pt", "torchscript"},
    {"jit", "torchscript"},   {"pth", "torch"},
    {"pytorch", "torch"},     {"state_dict", "torch"}};

/// Returns the choice that a word of another program stands for, or an empty text.
std::string_view synonym(std::string_view word, std::span<const std::string_view> choices) {
  for (const auto& [theirs, ours] : kSynonyms) {
    if (folded(word) == theirs && std::find(choices.begin(), choices.end(), ours) != choices.end())
      return ours;
  }
  return {};
}

Fault wrong_type(const std::string& expected, const Node& node, const std::string& path,
                 std::string hint) {
  if (!node.is_scalar()) {
    return {"wrong-type", fmt::format("{} must be {}, not {}", path, expected, kind_in_words(node)),
            std::move(hint)};
  }
  return {"wrong-type", fmt::format("{} must be {}: {}", path, expected, as_written(node)),
          std::move(hint)};
}

bool is_number(const Node& node) {
  return node.kind == Node::Kind::integer || node.kind == Node::Kind::number;
}

Value bounded(const Type& type, Node node, const std::string& path) {
  if (is_within_bounds(type, node.number)) return node;
  return Fault{"out-of-range",
               fmt::format("{} must be {}: {}", path, bounds_in_words(type), as_written(node)), ""};
}

Value integer(const Type& type, Node node, const std::string& path) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: above it, doubles skip integers
  const bool whole = node.kind == Node::Kind::number && node.number == std::floor(node.number);
  if (whole && std::abs(node.number) > kExact) {
    return Fault{"out-of-range", fmt::format("{} is too large: {}", path, as_written(node)), ""};
  }
  if (whole) {
    node.kind = Node::Kind::integer;
    node.integer = static_cast<std::int64_t>(node.number);
  }
  if (node.kind != Node::Kind::integer) return wrong_type(type, node, path);
  return bounded(type, std::move(node), path);
}

Value number(const Type& type, Node node, const std::string& path) {
  if (!is_number(node)) return wrong_type(type, node, path);
  if (!std::isfinite(node.number)) {
    return Fault{"not-finite", fmt::format("{} must be a finite number: '{}'", path, node.text),
                 ""};
  }
  return bounded(type, std::move(node), path);
}

/// Makes a path absolute: in a file it starts from the file's folder, in an argument from `home`.
std::string absolute(const Node& node, const std::string& home) {
  const Source* source = node.place.source.get();
  const bool in_file = source && source->is_file();
  const std::filesystem::path folder =
      in_file ? source->path().parent_path() : std::filesystem::path(home);
  return (folder / node.text).lexically_normal().string();
}

Value text(const Type& type, Node node, const std::string& path, const std::string& home) {
  // A value from the environment cannot be quoted, so it is text where text is expected.
  if (!node.reference.empty() && node.is_scalar()) node.kind = Node::Kind::text;
  if (node.kind != Node::Kind::text) return wrong_type(type, node, path);
  if (const auto fault = format_fault(type.format, node.text)) {
    const std::string hint = node.text.starts_with("${") ? what_to_write(type, node) : "";
    return Fault{"bad-format", fmt::format("{} {}: '{}'", path, *fault, node.text), hint};
  }
  if (type.format == Format::path) node.text = absolute(node, home);
  return node;
}

Value choice(const Type& type, Node node, const std::string& path) {
  // `precision: 16` is a number, but gets the hint of a wrong choice rather than of a wrong type.
  const bool has_synonym = node.is_scalar() && !synonym(node.text, type.choices).empty();
  if (node.kind != Node::Kind::text && !has_synonym) return wrong_type(type, node, path);
  if (std::find(type.choices.begin(), type.choices.end(), node.text) != type.choices.end())
    return node;
  return unknown_choice(node.text, path, type.choices);
}

Fault bad_quantity(const QuantityFault& fault, const Type& type, const Node& node,
                   const std::string& path) {
  using Kind = QuantityFault::Kind;
  switch (fault.kind) {
    case Kind::unit_missing:
      return {"unit-missing", fmt::format("{} needs a unit: '{}'", path, node.text),
              unit_hint(fault.number, type.units)};
    case Kind::unknown_unit: {
      const std::string_view near = nearest_unit_word(fault.unit, type.units);
      return {"unknown-unit", fmt::format("unknown unit '{}' in {}", fault.unit, path),
              near.empty() ? unit_hint(fault.number, type.units)
                           : fmt::format("did you mean '{} {}'?", fault.number, near)};
    }
    case Kind::wrong_unit:
      return {"wrong-unit", fmt::format("{} cannot be in '{}'", path, fault.unit),
              unit_hint(fault.number, type.units)};
    case Kind::leading_zero:
      return {"leading-zero", fmt::format("'{}' begins with a zero", fault.number),
              "write the number without it"};
    case Kind::not_whole:
      return {"out-of-range",
              fmt::format("{} must be a whole number of {}: '{}'", path, fault.unit, node.text),
              ""};
    case Kind::not_a_number: break;
  }
  return {"wrong-type", fmt::format("{} must be a number with a unit: {}", path, as_written(node)),
          unit_hint("10", type.units)};
}

Value quantity(const Type& type, Node node, const std::string& path) {
  if (is_number(node) && type.bare) {
    Type bare = type;
    bare.shape = Shape::integer;
    return integer(bare, std::move(node), path);
  }
  if (is_number(node)) {
    return Fault{"unit-missing", fmt::format("{} needs a unit: '{}'", path, node.text),
                 unit_hint(node.text, type.units)};
  }
  if (node.kind != Node::Kind::text) return wrong_type(type, node, path);
  const auto read = read_quantity(node.text, type.units);
  if (const auto* fault = std::get_if<QuantityFault>(&read))
    return bad_quantity(*fault, type, node, path);
  const Quantity& quantity = std::get<Quantity>(read);
  constexpr double kMost = 9e18;  // counts must fit in 64 bits
  if (!(quantity.value < kMost)) {
    return Fault{"out-of-range", fmt::format("{} is too large: '{}'", path, node.text), ""};
  }
  if (!is_within_bounds(type, quantity.value)) {
    return Fault{"out-of-range",
                 fmt::format("{} must be {}: '{}'", path, bounds_in_words(type), node.text), ""};
  }
  node.text = to_string(quantity);
  if (quantity.unit == Unit::rows) resolve_plain(node);
  return node;
}

}  // namespace

Fault wrong_type(const Type& type, const Node& node, const std::string& path) {
  return wrong_type(type_in_words(type), node, path, what_to_write(type, node));
}

Fault wrong_type_or_auto(const Type& type, const Node& node, const std::string& path) {
  if (type.shape != Shape::boolean)
    return wrong_type(type_in_words(type) + " or auto", node, path, what_to_write(type, node));
  const std::string hint = what_to_write(type, node);
  // The hint for an empty node is the general one, which would not mention 'auto'.
  const bool is_guessed = hint != what_to_write(type, Node{});
  return wrong_type("true, false or auto", node, path,
                    is_guessed ? hint : "write true, false or auto");
}

Fault unknown_choice(std::string_view word, const std::string& path,
                     std::span<const std::string_view> choices) {
  std::string_view near = nearest(word, choices);
  if (const std::string_view ours = synonym(word, choices); !ours.empty()) near = ours;
  const std::string all = fmt::format("{}", fmt::join(choices, ", "));
  std::string hint = choices.size() == 1 ? "there is " + all : "one of " + all;
  if (!near.empty())
    hint = fmt::format("did you mean '{}'?{}", near, choices.size() == 1 ? "" : " (" + all + ")");
  return {"unknown-choice", fmt::format("unknown choice '{}' for {}", word, path), std::move(hint)};
}

Value check_value(const Type& type, Node node, const std::string& path, const std::string& home) {
  switch (type.shape) {
    case Shape::boolean:
      if (node.kind == Node::Kind::boolean) return node;
      return wrong_type(type, node, path);
    case Shape::integer: return integer(type, std::move(node), path);
    case Shape::number: return number(type, std::move(node), path);
    case Shape::text: return text(type, std::move(node), path, home);
    case Shape::choice: return choice(type, std::move(node), path);
    case Shape::quantity: return quantity(type, std::move(node), path);
    default: return wrong_type(type, node, path);
  }
}

}  // namespace knead::schema
