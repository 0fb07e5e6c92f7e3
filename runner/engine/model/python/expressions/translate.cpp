#include "runner/engine/model/python/expressions/translate.h"

#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model {
namespace {

[[noreturn]] void wrong(const std::string& words, std::size_t at) {
  throw Mistake::of("error", fmt::format("{} at position {}", words, at));
}

bool is_letter(char one) { return std::isalpha(static_cast<unsigned char>(one)) != 0; }
bool is_digit(char one) { return std::isdigit(static_cast<unsigned char>(one)) != 0; }

/// Reads a pattern from its beginning and writes the translation.
struct Translation {
  const std::string& from;
  std::size_t at = 0;
  std::string to = {};

  std::string run() {
    while (at < from.size()) {
      switch (from[at]) {
        case '\\': escape(/*in_set=*/false); break;
        case '[': set(); break;
        case '(': group(); break;
        case '{': count(); break;
        default: to += from[at++];
      }
    }
    return std::move(to);
  }

 private:
  bool starts(std::string_view words) const {
    return std::string_view(from).substr(at).starts_with(words);
  }

  void escape(bool in_set) {
    if (at + 1 == from.size()) wrong("bad escape (end of pattern)", at);
    const char letter = from[at + 1];
    if (letter == 'u' || letter == 'U') return code_point(letter == 'u' ? 4 : 8);
    const std::string_view known = in_set ? "dDsSwWabfnrtvx" : "AZbBdDsSwWafnrtvx";
    if (is_letter(letter) && known.find(letter) == std::string_view::npos)
      wrong(fmt::format("bad escape \\{}", letter), at);
    if (letter == 'Z') {
      to += "\\z";
    } else if (letter == 'v') {
      to += "\\x0b";
    } else {
      to += from.substr(at, 2);
    }
    at += 2;
  }

  void code_point(std::size_t digits) {
    const std::string number = from.substr(std::min(at + 2, from.size()), digits);
    if (number.size() != digits ||
        number.find_first_not_of("0123456789abcdefABCDEF") != number.npos)
      wrong(fmt::format("incomplete escape \\{}{}", from[at + 1], number), at);
    to += "\\x{" + number + "}";
    at += 2 + digits;
  }

  /// Python has no classes such as [:alpha:], so a bracket in a set stands for itself.
  void set() {
    const std::size_t begin = at;
    to += from[at++];
    if (at < from.size() && from[at] == '^') to += from[at++];
    bool is_first = true;
    while (at < from.size() && (is_first || from[at] != ']')) {
      is_first = false;
      if (from[at] == '\\') {
        escape(/*in_set=*/true);
        continue;
      }
      if (from[at] == '[') to += '\\';
      to += from[at++];
    }
    if (at == from.size()) wrong("unterminated character set", begin);
    to += from[at++];
  }

  void group() {
    if (starts("(*")) wrong("nothing to repeat", at + 1);
    if (!starts("(?")) {
      to += from[at++];
      return;
    }
    for (const std::string_view known :
         {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?P<", "(?P=", "(?(", "(?#", "(?>"}) {
      if (!starts(known)) continue;
      to += known;
      at += known.size();
      // The text of a comment is not translated.
      while (known == "(?#" && at < from.size() && from[at] != ')') to += from[at++];
      return;
    }
    const std::size_t end = from.find_first_not_of("imsx-", at + 2);
    const bool is_flags =
        end != from.npos && end > at + 2 && (from[end] == ')' || from[end] == ':');
    if (!is_flags) wrong("unknown extension " + from.substr(at, 3), at + 1);
    to += from.substr(at, end + 1 - at);
    at = end + 1;
  }

  /// Python reads {,3} as {0,3}.
  void count() {
    std::size_t end = at + 2;
    while (end < from.size() && is_digit(from[end])) ++end;
    const bool has_no_least = starts("{,") && end > at + 2 && end < from.size() && from[end] == '}';
    to += has_no_least ? "{0" : "{";
    ++at;
  }
};

}  // namespace

std::string to_pcre2(const std::string& pattern) { return Translation{pattern}.run(); }

}  // namespace knead::engine::model
