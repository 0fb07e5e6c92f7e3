#include "runner/report/readable_text.h"

#include "schema/document/source.h"

namespace knead::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Returns whether a character of UTF-8 is a control character, or one that turns the direction of
/// text (U+202A … U+202E, U+2066 … U+2069), with which a name can look like another one.
bool is_hidden(std::string_view character) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(character[at]); };
  if (character.size() == 1)
    return (byte(0) < 0x20 && byte(0) != '\t' && byte(0) != '\n') || byte(0) == 0x7F;
  if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (character.size() != 3 || byte(0) != 0xE2) return false;
  if (byte(1) == 0x80) return byte(2) >= 0xAA && byte(2) <= 0xAE;
  return byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
}

}  // namespace

std::string readable_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = schema::sequence_length(text, at);
    const std::string_view character = text.substr(at, length);
    out += length == 0 || is_hidden(character) ? kReplacement : character;
    at += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace knead::report
