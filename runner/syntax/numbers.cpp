#include "runner/syntax/numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace knead::syntax {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

int base_of(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  switch (text[1] | 0x20) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 10;
  }
}

/// Walks over a number literal and stops at an error.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  ScannedNumber result() {
    const int base = base_of(text_);
    if (base == 10) {
      decimal();
    } else {
      at_ = 2;
      with_base(base);
    }
    if (!wrong_.empty()) return {at_, wrong_, remedy_};
    if (is_name_part(now()) && !keyword_follows()) {
      return {at_, base == 10 ? "a number goes straight on into a name" : wrong_digit(base), ""};
    }
    return {at_, "", ""};
  }

 private:
  char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char after(std::size_t n) const { return at_ + n < text_.size() ? text_[at_ + n] : '\0'; }

  static std::string_view wrong_digit(int base) {
    return base == 16  ? "a hexadecimal number has digits 0 to 9 and a to f"
           : base == 8 ? "an octal number has digits 0 to 7"
                       : "a binary number has digits 0 and 1";
  }

  void with_base(int base) {
    do {
      // An underscore may also follow the prefix, as in 0x_ff.
      if (now() == '_') ++at_;
      if (digit_value(now()) >= base) {
        wrong_ = wrong_digit(base);
        return;
      }
      while (digit_value(now()) < base) ++at_;
    } while (now() == '_');
    if (is_digit(now())) wrong_ = wrong_digit(base);
  }

  void digits() {
    while (is_digit(now())) ++at_;
    while (now() == '_') {
      if (!is_digit(after(1))) {
        wrong_ = "'_' stands between two digits of a number";
        return;
      }
      ++at_;
      while (is_digit(now())) ++at_;
    }
  }

  void decimal() {
    digits();
    bool whole = true;
    if (wrong_.empty() && now() == '.') {
      whole = false;
      ++at_;
      if (is_digit(now())) digits();
    }
    if (wrong_.empty() && (now() == 'e' || now() == 'E')) {
      // An 'e' without digits is an error only with a sign: it may begin a keyword, as in `1else`.
      const bool has_sign = after(1) == '+' || after(1) == '-';
      if (is_digit(after(has_sign ? 2 : 1))) {
        whole = false;
        at_ += has_sign ? 2 : 1;
        digits();
      } else if (has_sign) {
        wrong_ = "an exponent needs digits";
      }
    }
    if (!wrong_.empty()) return;
    if (now() == 'j' || now() == 'J') {
      ++at_;
    } else if (whole && text_[0] == '0' &&
               text_.substr(0, at_).find_first_not_of("0_") != text_.npos) {
      wrong_ = "a whole number does not begin with 0";
      remedy_ = "write 0o… for an octal number";
      // The message marks the leading 0, which is what is wrong.
      at_ = 0;
    }
  }

  /// Returns whether a keyword follows directly, as in `1if x else 2`, which Python allows.
  bool keyword_follows() const {
    static constexpr std::array<std::string_view, 8> kWords{"and", "else", "for", "if",
                                                            "in",  "is",   "not", "or"};
    for (const std::string_view word : kWords) {
      if (text_.substr(at_).starts_with(word)) return true;
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view wrong_;
  std::string_view remedy_;
};

/// Returns whether a number beyond the range of double is too large rather than too small.
/// std::from_chars reports both alike.
bool is_huge(std::string_view digits) {
  const std::size_t exponent_at = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, exponent_at);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = std::min(mantissa.find_first_not_of("0."), mantissa.size());
  const double leading =
      first < point ? static_cast<double>(point - first) : -static_cast<double>(first - point - 1);
  double exponent = 0;
  for (const char c : digits.substr(std::min(exponent_at + 1, digits.size()))) {
    if (is_digit(c)) exponent = exponent * 10 + (c - '0');
  }
  const bool negative = digits.find('-') != digits.npos;
  return leading + (negative ? -exponent : exponent) > 0;
}

double float_value(const std::string& digits) {
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec != std::errc::result_out_of_range) return value;
  return is_huge(digits) ? std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace

ScannedNumber scan_number(std::string_view text) { return Scan(text).result(); }

Expression::Kind number_value(std::string_view number) {
  std::string digits;
  for (const char c : number) {
    if (c != '_') digits += c;
  }
  const int base = base_of(digits);
  if (base == 10 && (digits.back() | 0x20) == 'j') {
    digits.pop_back();
    return Imaginary{float_value(digits)};
  }
  if (base == 10 && digits.find_first_of(".eE") != digits.npos) return Float{float_value(digits)};
  const std::size_t first = base == 10 ? 0 : 2;
  std::int64_t value = 0;
  const auto read =
      std::from_chars(digits.data() + first, digits.data() + digits.size(), value, base);
  if (read.ec != std::errc()) return Integer{std::nullopt};
  return Integer{value};
}

}  // namespace knead::syntax
