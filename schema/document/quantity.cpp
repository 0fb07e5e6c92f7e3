#include "schema/document/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "schema/document/node.h"
#include "schema/document/scalar.h"
#include "schema/document/suggest.h"

namespace knead::schema {
namespace {

struct Word {
  std::string_view text;
  Unit unit;
  double factor = 1;
};

constexpr std::array kWords{
    Word{"steps", Unit::steps},
    Word{"step", Unit::steps},
    Word{"epochs", Unit::epochs},
    Word{"epoch", Unit::epochs},
    Word{"samples", Unit::samples},
    Word{"sample", Unit::samples},
    Word{"tokens", Unit::tokens},
    Word{"token", Unit::tokens},
    Word{"evaluations", Unit::evaluations},
    Word{"evaluation", Unit::evaluations},
    Word{"rows", Unit::rows},
    Word{"row", Unit::rows},
    Word{"s", Unit::seconds},
    Word{"second", Unit::seconds},
    Word{"seconds", Unit::seconds},
    Word{"min", Unit::seconds, 60},
    Word{"minute", Unit::seconds, 60},
    Word{"minutes", Unit::seconds, 60},
    Word{"h", Unit::seconds, 3600},
    Word{"hour", Unit::seconds, 3600},
    Word{"hours", Unit::seconds, 3600},
    Word{"%", Unit::percent},
    Word{"B", Unit::bytes},
    Word{"kB", Unit::bytes, 1e3},
    Word{"MB", Unit::bytes, 1e6},
    Word{"GB", Unit::bytes, 1e9},
    Word{"KiB", Unit::bytes, 1024},
    Word{"MiB", Unit::bytes, 1024.0 * 1024},
    Word{"GiB", Unit::bytes, 1024.0 * 1024 * 1024},
};

/// Returns whether quantities of a unit are whole numbers.
bool counts_things(Unit unit) {
  return unit == Unit::steps || unit == Unit::samples || unit == Unit::tokens ||
         unit == Unit::evaluations || unit == Unit::rows;
}

bool contains(std::span<const Unit> units, Unit unit) {
  return std::find(units.begin(), units.end(), unit) != units.end();
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Returns the value of a decimal number. An integer beyond 64 bits is read as a floating-point
/// number.
double number_of(const std::string& decimal) {
  Node node = text_node(decimal, {});
  if (!resolve_plain(node)) return node.number;
  Node beyond_64_bits = text_node(decimal + "e0", {});
  resolve_plain(beyond_64_bits);
  return beyond_64_bits.number;
}

/// Writes a value in the first of `words` in which it is a whole number, so that the text reads
/// back exactly.
std::string scaled(double value, Unit unit, std::span<const std::string_view> words) {
  for (const std::string_view word : words) {
    const auto known =
        std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.text == word; });
    const double scaled = value / known->factor;
    if (scaled == std::floor(scaled) && scaled * known->factor == value) {
      return fmt::format("{} {}", number_text(scaled), word);
    }
  }
  return fmt::format("{} {}", number_text(value), unit == Unit::bytes ? "B" : "s");
}

/// Converts a share to percent, because other programs write 0.1 for 10%: "0.1" → "10". Other
/// numbers stay.
std::string as_percent(std::string_view number) {
  Node node = text_node(std::string(number), {});
  const bool is_share =
      !resolve_plain(node) && node.kind == Node::Kind::number && node.number > 0 && node.number < 1;
  return is_share ? number_text(std::round(node.number * 1e6) / 1e4) : std::string(number);
}

/// Returns whether a number is not whole: 0.1 epochs exist, 0.1 steps do not.
bool is_fraction(std::string_view number) {
  Node node = text_node(std::string(number), {});
  return !resolve_plain(node) && node.kind == Node::Kind::number &&
         node.number != std::floor(node.number);
}

/// Returns the allowed units that a number can have, or all of them if it can have none.
std::vector<Unit> possible_units(std::string_view number, std::span<const Unit> allowed) {
  std::vector<Unit> units(allowed.begin(), allowed.end());
  if (is_fraction(number)) std::erase_if(units, counts_things);
  return units.empty() ? std::vector<Unit>(allowed.begin(), allowed.end()) : units;
}

}  // namespace

std::variant<Quantity, QuantityFault> read_quantity(std::string_view text,
                                                    std::span<const Unit> allowed) {
  using Kind = QuantityFault::Kind;
  text = trimmed(text);
  const std::size_t length = decimal_length(text);  // "1e9 tokens" → 3, "5epochs" → 1
  const std::string number(text.substr(0, length));
  const std::string_view word = trimmed(text.substr(length));
  const auto fault = [&](Kind kind) { return QuantityFault{kind, number, std::string(word)}; };

  if (length == 0) return fault(Kind::not_a_number);
  // The order decides which fault "010" without a unit has: adding a unit would not mend it.
  if (has_leading_zero(number)) return fault(Kind::leading_zero);
  if (word.empty()) return fault(Kind::unit_missing);
  const auto known =
      std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.text == word; });
  if (known == kWords.end()) return fault(Kind::unknown_unit);
  if (!contains(allowed, known->unit)) return fault(Kind::wrong_unit);
  const Quantity quantity{number_of(number) * known->factor, known->unit};
  if (counts_things(quantity.unit) && quantity.value != std::floor(quantity.value))
    return fault(Kind::not_whole);
  return quantity;
}

std::string to_string(const Quantity& quantity) {
  static constexpr std::array<std::string_view, 3> kTime{"h", "min", "s"};
  static constexpr std::array<std::string_view, 6> kBytes{"GiB", "GB", "MiB", "MB", "KiB", "kB"};
  switch (quantity.unit) {
    case Unit::seconds: return scaled(quantity.value, quantity.unit, kTime);
    case Unit::bytes: return scaled(quantity.value, quantity.unit, kBytes);
    case Unit::percent: return number_text(quantity.value) + "%";
    case Unit::rows: return number_text(quantity.value);
    default: break;
  }
  std::string_view word = unit_word(quantity.unit);
  if (quantity.value == 1) word.remove_suffix(1);
  return fmt::format("{} {}", number_text(quantity.value), word);
}

std::string_view unit_word(Unit unit) {
  switch (unit) {
    case Unit::steps: return "steps";
    case Unit::epochs: return "epochs";
    case Unit::samples: return "samples";
    case Unit::tokens: return "tokens";
    case Unit::evaluations: return "evaluations";
    case Unit::seconds: return "minutes";
    case Unit::percent: return "%";
    case Unit::bytes: return "MB";
    case Unit::rows: return "rows";
  }
  return "";
}

std::string_view nearest_unit_word(std::string_view word, std::span<const Unit> allowed) {
  std::vector<std::string_view> words;
  for (const Word& known : kWords) {
    if (contains(allowed, known.unit)) words.push_back(known.text);
  }
  return nearest(word, words);
}

std::string unit_hint(std::string_view number, std::span<const Unit> allowed) {
  std::vector<std::string> words;
  for (const Unit unit : possible_units(number, allowed)) {
    words.emplace_back(unit_word(unit));
    if (unit == Unit::seconds) words.emplace_back("hours");
    if (unit == Unit::bytes) words.emplace_back("GiB");
  }
  const auto written = [&](std::string word) {
    if (word == "%") return fmt::format("'{}%'", as_percent(number));
    if (number == "1") word.pop_back();
    return fmt::format("'{} {}'", number, word);
  };
  const bool share_is_possible = std::find(words.begin(), words.end(), "%") != words.end();
  if (share_is_possible && as_percent(number) != number) return "write " + written("%");
  std::string hint = "write " + written(words[0]);
  if (words.size() > 1) hint += " or " + written(words[1]);
  if (words.size() > 2) {
    const std::vector<std::string> others(words.begin() + 2, words.end());
    hint += fmt::format(" (also {})", fmt::join(others, ", "));
  }
  return hint;
}

}  // namespace knead::schema
