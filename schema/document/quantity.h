#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace knead::schema {

/// What a number in a recipe counts. A *step* is one optimizer step.
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

/// "100 steps", "2 epochs", "30 min" (in seconds), "10%", "25 MB" (in bytes).
struct Quantity {
  double value = 0;
  Unit unit = Unit::steps;

  bool operator==(const Quantity&) const = default;
};

/// Why a text is no quantity.
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
  std::string unit;    // as written
};

/// Reads "20 epochs"; the space may be left out. Steps, samples, tokens, evaluations and rows are
/// whole numbers (5e6 is one). Only `allowed` units are taken.
std::variant<Quantity, QuantityFault> read_quantity(std::string_view text,
                                                    std::span<const Unit> allowed);

/// The canonical text, which reads back as the same quantity: "1 epoch", "15 min", "10%", "25 MB".
std::string to_string(const Quantity& quantity);

/// The words a hint offers for a unit: "steps", "minutes"; for time there are two.
std::string_view unit_word(Unit unit);

/// The word among the allowed units that `word` most resembles; empty if none does.
std::string_view nearest_unit_word(std::string_view word, std::span<const Unit> allowed);

/// "write '20 epochs' or '20 steps' (also samples, tokens, minutes, hours)".
std::string unit_hint(std::string_view number, std::span<const Unit> allowed);

}  // namespace knead::schema
