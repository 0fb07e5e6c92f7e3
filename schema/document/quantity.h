#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace knead::schema {

/// The unit of a quantity in a recipe. One step is one optimizer step. The key decides what a
/// percent is a share of: the run for lengths, the data set for rows.
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
/// 10), "25 MB" (stored in bytes). Two quantities are equal if value and unit are, so 1 h equals
/// 60 min, and no number of steps equals an epoch.
struct Quantity {
  double value = 0;
  Unit unit = Unit::steps;

  bool operator==(const Quantity&) const = default;
};

/// Explains why a text is not a quantity.
struct QuantityFault {
  enum class Kind {
    /// The text does not begin with a number; `number` is empty.
    not_a_number,
    /// The number has no word after it.
    unit_missing,
    /// The word is not a unit. Case matters: 'mb' is unknown.
    unknown_unit,
    /// The word is a unit that the key does not take.
    wrong_unit,
    /// The number begins with a zero, as in 010.
    leading_zero,
    /// A number of steps, samples, tokens, evaluations or rows has a fraction.
    not_whole
  } kind;
  std::string number;  // as written
  std::string unit;    // as written; empty if missing
};

/// Reads a quantity such as "20 epochs", with or without the space. Steps, samples, tokens,
/// evaluations and rows must be whole (5e6 is). A unit outside `allowed` is a fault. The value may
/// be negative or, after an overflow, infinite: the caller checks the bounds of its key. `number`
/// and `unit` of a fault quote the text.
std::variant<Quantity, QuantityFault> read_quantity(std::string_view text,
                                                    std::span<const Unit> allowed);

/// Returns the canonical text, which reads back as the same quantity: "1 epoch", "15 min", "10%",
/// "25 MB". A time or a size has the largest unit in which it is a whole number. Rows have no unit
/// ("1500"), because their keys take a bare number; read_quantity() does not accept it.
std::string to_string(const Quantity& quantity);

/// Returns the word that hints use for a unit: "steps", "minutes" for seconds, "MB" for bytes.
std::string_view unit_word(Unit unit);

/// Returns the allowed unit word most similar to `word`, or an empty text if none is similar. The
/// result has static lifetime.
std::string_view nearest_unit_word(std::string_view word, std::span<const Unit> allowed);

/// Returns a hint for a number without a usable unit: "write '20 epochs' or '20 steps' (also
/// samples, tokens, minutes, hours)". Units that count whole things are left out for a fraction,
/// and a number between 0 and 1 is suggested as a percentage if the key takes one. `allowed` must
/// not be empty.
std::string unit_hint(std::string_view number, std::span<const Unit> allowed);

}  // namespace knead::schema
