#include "runner/track/markdown.h"

#include <string_view>

namespace knead::track {

std::string markdown_text(const std::string& text) {
  static constexpr std::string_view kSpecial = "\\`*_[]|#~";
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (static_cast<unsigned char>(c) < ' ') {
      out += ' ';
    } else {
      if (kSpecial.find(c) != kSpecial.npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string markdown_block(const std::string& text) {
  std::string out = "    ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

}  // namespace knead::track
