#include <algorithm>
#include <array>
#include <span>

#include "runner/peers/secrets.h"
#include "runner/peers/theirs.h"
#include "schema/document/scalar.h"
#include "schema/document/suggest.h"
#include "schema/document/yaml_text.h"

namespace knead::peers {
namespace {

constexpr std::size_t kMostShown = 60;  // code points of a value in a comment

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Cuts a text after kMostShown code points.
std::string shortened(const std::string& text) {
  std::size_t at = 0;
  for (std::size_t points = 0; points < kMostShown && at < text.size(); ++points)
    at += std::max<std::size_t>(1, schema::sequence_length(text, at));
  return at >= text.size() ? text : text.substr(0, at) + "…";
}

/// Resolves a value that YAML 1.1 rules or quotes made a text.
schema::Node as_plain(const schema::Node& node) {
  schema::Node plain = schema::text_node(node.text, node.place);
  schema::resolve_plain(plain);
  return plain;
}

}  // namespace

bool Item::is_empty() const {
  if (value.is_null()) return true;
  if (value.is_list()) return value.items.empty();
  if (value.is_map()) return value.entries.empty();
  return value.kind == schema::Node::Kind::text && (value.text.empty() || value.text == "None");
}

bool Item::is_off() const {
  static constexpr std::array<std::string_view, 5> kWords{"none", "no", "off", "false", "null"};
  if (is_empty()) return true;
  if (value.kind == schema::Node::Kind::boolean) return !value.boolean;
  if (const std::optional<double> number = number_of(*this); number)
    return *number == 0 || *number == -1;
  return is_one_of(schema::folded(value.text), kWords);
}

std::string Item::shown() const {
  if (!is_off() && holds_secret(path, value)) return "(not shown)";
  if (value.kind == schema::Node::Kind::number && value.plain) return value.text;
  // Quotes stay where the text would be a number without them.
  std::string text = schema::flow_as_yaml(value);
  for (std::size_t at = text.find("$${"); at != text.npos; at = text.find("$${", at + 1))
    text.erase(at, 1);
  return shortened(text);
}

std::string Item::in_words() const { return path + ": " + shown(); }

std::string text_of(const Item& item) {
  return item.value.is_scalar() && !item.is_empty() ? item.value.text : "";
}

std::optional<bool> truth_of(const Item& item) {
  static constexpr std::array<std::string_view, 4> kYes{"true", "yes", "on", "y"};
  static constexpr std::array<std::string_view, 4> kNo{"false", "no", "off", "n"};
  if (item.value.kind == schema::Node::Kind::boolean) return item.value.boolean;
  if (!item.value.is_scalar()) return std::nullopt;
  const std::string word = schema::folded(item.value.text);
  if (word == "1" || is_one_of(word, kYes)) return true;
  if (word == "0" || is_one_of(word, kNo)) return false;
  return std::nullopt;
}

std::optional<double> number_of(const Item& item) {
  using Kind = schema::Node::Kind;
  if (!item.value.is_scalar()) return std::nullopt;
  const schema::Node node = item.value.kind == Kind::text ? as_plain(item.value) : item.value;
  const bool is_number = node.kind == Kind::number || node.kind == Kind::integer;
  return is_number ? std::optional(node.number) : std::nullopt;
}

std::string number_as_yaml(const Item& item) { return item.value.text; }

}  // namespace knead::peers
