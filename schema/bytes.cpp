#include <fmt/format.h>

#include "schema/parse.h"

namespace knead::schema {
namespace {

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
