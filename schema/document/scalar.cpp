#include "schema/document/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

namespace knead::schema {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

bool is_decimal(std::string_view text) {
  return !text.empty() && decimal_length(text) == text.size();
}

bool all_in(std::string_view text, std::string_view alphabet) {
  return !text.empty() && text.find_first_not_of(alphabet) == text.npos;
}

/// Returns the base of an integer in its notation (10, 8 for 0o, 16 for 0x), or 0 if the text is
/// not an integer.
int integer_base(std::string_view text) {
  if (text.starts_with("0o")) return all_in(text.substr(2), "01234567") ? 8 : 0;
  if (text.starts_with("0x")) return all_in(text.substr(2), "0123456789abcdefABCDEF") ? 16 : 0;
  return all_in(without_sign(text), "0123456789") ? 10 : 0;
}

/// Sets the integer value of a node, or returns a fault if it does not fit in 64 bits.
std::optional<std::string> set_integer(Node& node, int base) {
  std::string_view digits = node.text;
  if (base != 10) digits.remove_prefix(2);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const auto read =
      std::from_chars(digits.data(), digits.data() + digits.size(), node.integer, base);
  if (read.ec == std::errc::result_out_of_range) {
    return fmt::format("'{}' does not fit in 64 bits", node.text);
  }
  node.kind = Node::Kind::integer;
  node.number = static_cast<double>(node.integer);
  return std::nullopt;
}

void set_number(Node& node, double value) {
  node.kind = Node::Kind::number;
  node.number = value;
}

/// Returns the value of a decimal number: infinity on overflow, 0 on underflow.
double decimal_value(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc::result_out_of_range) {
    // from_chars does not say which way, strtod does. Infinity is refused later where a number must
    // be finite.
    value = std::strtod(std::string(text).c_str(), nullptr);
  }
  return value;
}

}  // namespace

std::size_t decimal_length(std::string_view text) {
  const std::size_t begin = text.size() - without_sign(text).size();
  std::size_t end = skip_digits(text, begin);
  std::size_t digits = end - begin;
  if (end < text.size() && text[end] == '.') {
    const std::size_t point = end++;
    end = skip_digits(text, end);
    digits += end - point - 1;
  }
  if (digits == 0) return 0;
  if (end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  std::size_t exponent = end + 1;
  if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
  const std::size_t exponent_end = skip_digits(text, exponent);
  return exponent_end == exponent ? end : exponent_end;
}

bool has_leading_zero(std::string_view text) {
  if (!is_decimal(text)) return false;
  text = without_sign(text);
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

std::optional<std::string> resolve_plain(Node& node) {
  static constexpr std::array<std::string_view, 5> kNull{"", "~", "null", "Null", "NULL"};
  static constexpr std::array<std::string_view, 3> kTrue{"true", "True", "TRUE"};
  static constexpr std::array<std::string_view, 3> kFalse{"false", "False", "FALSE"};
  static constexpr std::array<std::string_view, 3> kInfinity{".inf", ".Inf", ".INF"};
  static constexpr std::array<std::string_view, 3> kNan{".nan", ".NaN", ".NAN"};
  const std::string_view text = node.text;

  node.kind = Node::Kind::text;
  if (is_one_of(text, kNull)) {
    node.kind = Node::Kind::null;
  } else if (is_one_of(text, kTrue) || is_one_of(text, kFalse)) {
    node.kind = Node::Kind::boolean;
    node.boolean = is_one_of(text, kTrue);
  } else if (has_leading_zero(text)) {
    return fmt::format("'{}' begins with a zero: a number, or text?", text);
  } else if (const int base = integer_base(text)) {
    return set_integer(node, base);
  } else if (is_decimal(text)) {
    set_number(node, decimal_value(text));
  } else if (is_one_of(without_sign(text), kInfinity)) {
    const double infinity = std::numeric_limits<double>::infinity();
    set_number(node, text[0] == '-' ? -infinity : infinity);
  } else if (is_one_of(text, kNan)) {
    set_number(node, std::numeric_limits<double>::quiet_NaN());
  }
  return std::nullopt;
}

std::string number_text(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0 ? "-.inf" : ".inf";
  // Whole numbers below 1e15 are exact and are written without an exponent.
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{}", value);
}

Node number_node(double value, Place place) {
  Node node = text_node(number_text(value), std::move(place));
  node.kind = Node::Kind::number;
  node.number = value;
  node.plain = true;
  return node;
}

Node integer_node(std::int64_t value, Place place) {
  Node node = text_node(std::to_string(value), std::move(place));
  node.kind = Node::Kind::integer;
  node.integer = value;
  node.number = static_cast<double>(value);
  node.plain = true;
  return node;
}

}  // namespace knead::schema
