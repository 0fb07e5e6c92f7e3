#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace knead::schema {

/// The unit of a quantity in a recipe. One step is one optimizer step.
enum class Unit : std::uint8_t {
  steps,
  epochs,
  samples,
  tokens,
  evaluations,
  seconds,
  percent,
  bytes,
  rows
};

/// A number with a unit: "100 steps", "2 epochs", "30 min" (stored in seconds), "10%" (stored as
/// 10), "25 MB" (stored in bytes).
struct Quantity {
  double value = 0;
  Unit unit = Unit::steps;

  bool operator==(const Quantity&) const = default;
};

/// Explains why a text is not a quantity.
struct QuantityFault {
  enum class Kind {
    not_a_number,
    unit_missing,
    unknown_unit,
    wrong_unit,
    leading_zero,
    not_whole
  } kind;
  std::string number;  // as written
  std::string unit;    // as written; empty if missing
};

/// Reads a quantity such as "20 epochs", with or without the space. Steps, samples, tokens,
/// evaluations and rows must be whole (5e6 is). A unit outside `allowed` is a fault.
std::variant<Quantity, QuantityFault> read_quantity(std::string_view text,
                                                    std::span<const Unit> allowed);

/// Returns the canonical text, which reads back as the same quantity: "1 epoch", "15 min", "10%",
/// "25 MB".
std::string to_string(const Quantity& quantity);

/// Returns the word that hints use for a unit: "steps", "minutes" for seconds, "MB" for bytes.
std::string_view unit_word(Unit unit);

/// Returns the allowed unit word most similar to `word`, or an empty text if none is similar.
std::string_view nearest_unit_word(std::string_view word, std::span<const Unit> allowed);

/// Returns a hint for a number without a usable unit: "write '20 epochs' or '20 steps' (also
/// samples, tokens, minutes, hours)".
std::string unit_hint(std::string_view number, std::span<const Unit> allowed);

}  // namespace knead::schema
