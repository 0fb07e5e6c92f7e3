#include "runner/board/server/target.h"

#include <algorithm>

#include <fmt/format.h>

namespace knead::board {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else if (i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace

std::string Target::parameter(std::string_view name) const {
  const std::vector<std::string> values = all(name);
  return values.empty() ? "" : values[0];
}

std::vector<std::string> Target::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : parameters) {
    if (key == name) values.push_back(value);
  }
  return values;
}

std::optional<Target> target_in(std::string_view text) {
  const std::size_t question = std::min(text.find('?'), text.size());
  Target target{std::string(text.substr(0, question)), {}};
  if (target.path.find('%') != target.path.npos) return std::nullopt;
  std::string_view rest = text.substr(std::min(question + 1, text.size()));
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t equals = std::min(part.find('='), part.size());
    auto key = decoded(part.substr(0, equals));
    auto value = decoded(part.substr(std::min(equals + 1, part.size())));
    if (!key || !value) return std::nullopt;
    target.parameters.emplace_back(std::move(*key), std::move(*value));
  }
  return target;
}

std::string encoded(std::string_view text) {
  constexpr std::string_view kPlain = "-._~/";
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || kPlain.find(c) != kPlain.npos;
    if (is_plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace knead::board
