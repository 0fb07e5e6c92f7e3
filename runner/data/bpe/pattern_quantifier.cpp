#include <fmt/format.h>

#include "runner/data/bpe/pattern_cursor.h"

namespace knead::data {
namespace {

bool is_number(std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; }

void check_numbers(const PatternCursor& cursor, const std::string& fewest,
                   const std::string& most) {
  constexpr std::size_t kDigits = 4;
  // Four digits fit std::stoi, and keep the compiled pattern small: PCRE2 repeats the item in it.
  if (fewest.size() > kDigits || most.size() > kDigits)
    cursor.refuse("a quantifier of more than 9999");
  if (!fewest.empty() && !most.empty() && std::stoi(most) < std::stoi(fewest))
    cursor.refuse("a quantifier that ends before it begins");
}

/// Reads {3}, {1,3}, {1,} or {,3}. Other braces are ordinary characters.
std::optional<std::string> take_braces(PatternCursor& cursor) {
  std::string_view inside = cursor.rest();
  const std::size_t end = inside.find('}');
  if (!inside.starts_with('{') || end == inside.npos) return std::nullopt;
  inside = inside.substr(1, end - 1);
  const std::size_t comma = inside.find(',');
  const std::string fewest(inside.substr(0, comma));
  const std::string most(comma == inside.npos ? "" : inside.substr(comma + 1));
  if ((fewest + most).empty() || !is_number(fewest) || !is_number(most)) return std::nullopt;
  check_numbers(cursor, fewest, most);
  cursor.take(cursor.rest().substr(0, end + 1));
  // In Ruby's syntax a ? behind {n} repeats it zero times or once, so it is left to the next call.
  if (comma == inside.npos) return fmt::format("{{{}}}", fewest);
  const bool is_lazy = cursor.take("?");
  return fmt::format("{{{},{}}}{}", fewest.empty() ? "0" : fewest, most, is_lazy ? "?" : "");
}

}  // namespace

std::optional<std::string> take_quantifier(PatternCursor& cursor) {
  for (const std::string_view plain : {"*", "+", "?"}) {
    if (!cursor.take(plain)) continue;
    std::string quantifier(plain);
    if (cursor.take("?")) return quantifier + "?";
    if (cursor.take("+")) return quantifier + "+";
    return quantifier;
  }
  return take_braces(cursor);
}

}  // namespace knead::data
