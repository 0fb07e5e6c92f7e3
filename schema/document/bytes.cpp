#include <fmt/format.h>

#include "schema/document/parse.h"

namespace knead::schema {
namespace {

/// Returns whether a byte is a control character other than tab and line ends. A '\r' is allowed
/// only before '\n'.
bool is_forbidden_control(std::string_view text, std::size_t at) {
  const unsigned char c = static_cast<unsigned char>(text[at]);
  if (c == '\r') return at + 1 < text.size() && text[at + 1] != '\n';
  return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

/// Counts the characters that make yaml-cpp allocate tokens. yaml-cpp reads a bracket to its end
/// before it emits events and needs 150 bytes per token, so a text with more of them than
/// kMostNodes values can use is refused before parsing.
struct Marks {
  std::size_t separators = 0;  // each precedes a value
  std::size_t halves = 0;      // half marks; a value may have three marks, as in `"key": "value"`

  /// Counts a character, and returns whether there are too many.
  bool exceed_with(char c) {
    if (c == ',' || c == '[' || c == '{') ++separators;
    if (c == ':' || c == '?' || c == '!' || c == '&' || c == '*') halves += 2;
    if (c == '"' || c == '\'') ++halves;
    return separators > kMostNodes || halves > 6 * kMostNodes;
  }
};

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
  // UTF-16 is not valid UTF-8 either, but editors name encodings, not bytes.
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return problem(0, "bad-encoding", "the text is UTF-16", "save it as UTF-8");
  }
  Marks marks;
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
    if (marks.exceed_with(text[at])) {
      return problem(at, "too-large",
                     marks.separators > kMostNodes
                         ? fmt::format("more than {} commas and opening brackets", kMostNodes)
                         : fmt::format("more than {} quotes and other marks", 3 * kMostNodes),
                     "a recipe names large data, it does not hold it");
    }
    at += length;
  }
  return std::nullopt;
}

}  // namespace knead::schema
