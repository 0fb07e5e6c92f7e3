#include "schema/document/yaml_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "schema/document/scalar.h"

namespace knead::schema {
namespace {

/// Returns whether a YAML 1.1 reader takes a word for a boolean.
bool is_old_boolean(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kOldBooleans{"yes", "no", "on", "off", "y", "n"};
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return std::find(kOldBooleans.begin(), kOldBooleans.end(), lower) != kOldBooleans.end();
}

/// Returns whether a YAML 1.1 reader may take a text for a number or a time: 1_000, 12:30,
/// 2026-01-01.
bool looks_like_old_number(std::string_view text) {
  const bool has_digit = text.find_first_of("0123456789") != text.npos;
  return has_digit && text.find_first_not_of("0123456789_:+-.eExXoO ") == text.npos;
}

/// Returns whether a text can be written without quotes in any context. '?' is excluded, because
/// yaml-cpp ends a plain text before it inside [ ] and { }.
bool is_plain(std::string_view text) {
  static constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@`=<~ ";
  if (text.empty() || kIndicators.find(text.front()) != text.npos) return false;
  if (text.back() == ' ' || text.back() == ':') return false;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F ||
        std::string_view(",?[]{}").find(c) != text.npos)
      return false;
  }
  if (text.find(": ") != text.npos || text.find(" #") != text.npos || text.starts_with("..."))
    return false;
  Node node = text_node(std::string(text), {});
  if (resolve_plain(node) || node.kind != Node::Kind::text) return false;
  return !is_old_boolean(text) && !looks_like_old_number(text);
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string word_as_yaml(std::string_view text) {
  return is_plain(text) ? std::string(text) : in_quotes(text);
}

std::string with_escapes(std::string_view text) {
  std::string escaped(text);
  // Each step skips the inserted '$' and the "${", so an escape is not escaped again.
  for (std::size_t at = escaped.find("${"); at != escaped.npos; at = escaped.find("${", at + 3)) {
    escaped.insert(at, 1, '$');
  }
  return escaped;
}

std::string text_as_yaml(std::string_view text) { return word_as_yaml(with_escapes(text)); }

std::string scalar_as_yaml(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return "null";
    case Node::Kind::boolean: return node.boolean ? "true" : "false";
    case Node::Kind::integer: return fmt::format("{}", node.integer);
    case Node::Kind::number: {
      // The text must read back as a number: 1.0 must not become the integer 1.
      const std::string text = number_text(node.number);
      return text.find_first_of(".en") == text.npos ? text + ".0" : text;
    }
    default: return text_as_yaml(node.text);
  }
}

std::string flow_as_yaml(const Node& node) {
  if (node.secret) return fmt::format("\"{}\"", node.reference);
  std::string out;
  if (node.is_list()) {
    for (const Node& item : node.items) out += (out.empty() ? "" : ", ") + flow_as_yaml(item);
    return "[" + out + "]";
  }
  if (node.is_map()) {
    for (const Entry& entry : node.entries) {
      out += (out.empty() ? "" : ", ") + text_as_yaml(entry.key) + ": " + flow_as_yaml(entry.value);
    }
    return "{" + out + "}";
  }
  return scalar_as_yaml(node);
}

}  // namespace knead::schema
