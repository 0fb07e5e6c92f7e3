#include "runner/syntax/strings.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "runner/syntax/letters.h"
#include "runner/syntax/refusal.h"

namespace knead::syntax {
namespace {

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return out;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

/// Replaces the escapes of one literal, a string or bytes.
class Escapes {
 public:
  Escapes(const std::shared_ptr<const schema::Source>& source, Range part, bool is_bytes)
      : source_(source),
        text_(source->text()),
        at_(part.begin),
        end_(part.end),
        is_bytes_(is_bytes) {}

  std::string value() {
    std::string out;
    while (at_ < end_) {
      const char c = text_[at_];
      if (c == '\\') {
        escape(out);
      } else {
        // A carriage return stands only before a line feed, as parse() has checked, so dropping it
        // turns every line end into a line feed.
        if (c != '\r') out += c;
        ++at_;
      }
    }
    return out;
  }

 private:
  void escape(std::string& out) {
    static constexpr std::string_view kLetters = "\\'\"abfnrtv";
    static constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
    const std::size_t backslash = at_++;
    const char c = at_ < end_ ? text_[at_] : '\0';
    if (c == '\r') ++at_;
    if (c == '\r' || c == '\n') {
      ++at_;
    } else if (const std::size_t known = kLetters.find(c); known != kLetters.npos) {
      out += kMeanings[known];
      ++at_;
    } else if (is_octal(c)) {
      octal(out);
    } else if (c == 'x' || (!is_bytes_ && (c == 'u' || c == 'U'))) {
      ++at_;
      hexadecimal(out, backslash, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    } else if (c == 'N' && !is_bytes_) {
      refuse("model-refused", backslash, at_ + 1, "characters by their name are not replaced",
             "write the character itself");
    } else {
      out += '\\';  // not an escape: Python keeps both characters
    }
  }

  void octal(std::string& out) {
    char32_t value = 0;
    for (int digits = 0; digits < 3 && at_ < end_ && is_octal(text_[at_]); ++digits, ++at_) {
      value = value * 8 + static_cast<char32_t>(text_[at_] - '0');
    }
    put(value, out);
  }

  /// Appends a character, or the last eight bits of its number to bytes.
  void put(char32_t value, std::string& out) const {
    if (is_bytes_) {
      out += static_cast<char>(value & 0xFF);
    } else {
      out += as_utf8(value);
    }
  }

  void hexadecimal(std::string& out, std::size_t backslash, std::size_t digits) {
    const char* first = text_.data() + at_;
    const std::size_t there = std::min(digits, end_ - at_);
    std::uint32_t value = 0;
    const auto read = std::from_chars(first, first + there, value, 16);
    const auto length = static_cast<std::size_t>(read.ptr - first);
    if (read.ec == std::errc::invalid_argument || length != digits) {
      refuse("model-syntax", backslash, at_ + length,
             fmt::format("'\\{}' needs {} hexadecimal digits", text_[at_ - 1], digits));
    }
    at_ += digits;
    if (value > 0x10FFFF) {
      refuse("model-syntax", backslash, at_, "there is no character of this number");
    }
    if (value >= 0xD800 && value <= 0xDFFF) {
      refuse("model-refused", backslash, at_, "half a surrogate pair is no character",
             "write the character itself, or one \\U escape");
    }
    put(value, out);
  }

  [[noreturn]] void refuse(const char* code, std::size_t begin, std::size_t end,
                           std::string message, std::string remedy = "") const {
    throw Refusal(code, {source_, begin, std::min(end, end_)}, std::move(message),
                  std::move(remedy));
  }

  const std::shared_ptr<const schema::Source>& source_;
  std::string_view text_;
  std::size_t at_;
  std::size_t end_;
  bool is_bytes_;
};

std::string value_of(const std::shared_ptr<const schema::Source>& source, Range part, bool raw,
                     bool is_bytes) {
  if (!raw) return Escapes(source, part, is_bytes).value();
  std::string out(source->text(), part.begin, part.end - part.begin);
  std::erase(out, '\r');
  return out;
}

}  // namespace

bool is_string_prefix(std::string_view letters) {
  static constexpr std::array<std::string_view, 8> kPrefixes{"r",  "b",  "u",  "f",
                                                             "br", "rb", "fr", "rf"};
  return std::find(kPrefixes.begin(), kPrefixes.end(), lower(letters)) != kPrefixes.end();
}

StringEnd find_string_end(std::string_view text, std::size_t quote) {
  const std::string_view three = text.substr(quote, 3);
  const std::string one(1, text[quote]);
  const bool is_triple = three == one + one + one;
  const std::string closing = is_triple ? std::string(three) : one;
  std::size_t at = quote + closing.size();
  while (at < text.size()) {
    if (text.substr(at).starts_with(closing)) return {at + closing.size(), true};
    if (!is_triple && (text[at] == '\n' || text[at] == '\r')) return {at, false};
    // A backslash joins lines also before the two bytes of a Windows line end.
    if (text[at] == '\\' && text.substr(at + 1).starts_with('\r')) ++at;
    at += text[at] == '\\' || text[at] == '\r' ? 2 : 1;
  }
  return {text.size(), false};
}

StringLiteral string_literal(std::string_view text, Range token) {
  const std::size_t quote = text.find_first_of("'\"", token.begin);
  const std::string prefix = lower(text.substr(token.begin, quote - token.begin));
  // A token of fewer than six bytes from its quote on cannot be in triple quotes: `''` is an empty
  // string.
  const bool is_triple =
      token.end - quote >= 6 && text[quote + 1] == text[quote] && text[quote + 2] == text[quote];
  const std::uint32_t quotes = is_triple ? 3 : 1;
  return {prefix.find('r') != prefix.npos,
          prefix.find('b') != prefix.npos,
          prefix.find('f') != prefix.npos,
          {static_cast<std::uint32_t>(quote) + quotes, token.end - quotes}};
}

std::string string_value(const std::shared_ptr<const schema::Source>& source, Range part,
                         bool raw) {
  return value_of(source, part, raw, false);
}

std::string bytes_value(const std::shared_ptr<const schema::Source>& source, Range part, bool raw) {
  const std::string_view text = source->text();
  for (std::size_t at = part.begin; at < part.end; ++at) {
    if ((text[at] & 0x80) == 0) continue;
    const std::string_view character = text.substr(at, schema::sequence_length(text, at));
    std::string escapes;
    for (const char c : character) escapes += fmt::format("\\x{:02x}", c & 0xFF);
    throw Refusal("model-syntax", {source, at, at + character.size()},
                  "bytes can only contain ASCII characters",
                  raw ? "" : fmt::format("the bytes of '{}' are {}", character, escapes));
  }
  return value_of(source, part, raw, true);
}

}  // namespace knead::syntax
