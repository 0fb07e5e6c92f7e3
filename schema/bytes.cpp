#include <fmt/format.h>

#include "schema/parse.h"

namespace knead::schema {
namespace {

/// Length of the UTF-8 sequence at `at`; 0 if it is invalid (truncated, overlong, a surrogate,
/// beyond U+10FFFF).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

bool is_forbidden_control(std::string_view text, std::size_t at) {
  const unsigned char c = static_cast<unsigned char>(text[at]);
  if (c == '\r') return at + 1 < text.size() && text[at + 1] != '\n';
  return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

}  // namespace

std::optional<Problem> check_bytes(const std::shared_ptr<const Source>& source) {
  const std::string_view text = source->text();
  const auto problem = [&](std::size_t at, std::string code, std::string message,
                           std::string hint) {
    return Problem{std::move(code), Place{source, at, at + 1}, std::move(message), std::move(hint)};
  };
  if (text.size() > kMostBytes) {
    return problem(0, "too-large", "the text is longer than 1 MiB",
                   "a recipe names large data, it does not hold it");
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return problem(0, "bad-encoding", "the text is UTF-16", "save it as UTF-8");
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) {
      return problem(
          at, "bad-encoding",
          fmt::format("byte 0x{:02X} is not UTF-8", static_cast<unsigned char>(text[at])),
          "save the file as UTF-8");
    }
    if (length == 1 && is_forbidden_control(text, at)) {
      return problem(
          at, "bad-encoding",
          fmt::format("control character U+{:04X}", static_cast<unsigned char>(text[at])),
          "remove it");
    }
    at += length;
  }
  return std::nullopt;
}

}  // namespace knead::schema
