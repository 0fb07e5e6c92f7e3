#include "schema/merge/environment.h"

#include <cstdlib>

#include <fmt/format.h>

#include "schema/document/parse.h"
#include "schema/document/scalar.h"
#include "schema/document/token.h"
#include "schema/document/yaml_text.h"
#include "schema/table/format.h"

namespace knead::schema {
namespace {

constexpr std::string_view kOpen = "${env:";

/// The text between `${env:` and `}`: `NAME` or `NAME:-default`.
struct Reference {
  std::string name;
  std::optional<std::string> fallback;
};

/// Parses the text inside a reference, or returns std::nullopt if NAME is not an identifier.
std::optional<Reference> read_reference(std::string_view inside) {
  const std::size_t colon = inside.find(":-");
  Reference reference{std::string(inside.substr(0, colon)), std::nullopt};
  if (format_fault(Format::identifier, reference.name)) return std::nullopt;
  if (colon != inside.npos) reference.fallback = inside.substr(colon + 2);
  return reference;
}

/// Replaces the references of one scalar.
class Expansion {
 public:
  /// `added` counts the bytes that the environment has added to the whole recipe.
  Expansion(Node& node, const Environment& environment, std::size_t& added, Problems& problems)
      : node_(node), environment_(environment), added_(added), problems_(problems) {}

  void run() {
    warn_of_shell_form();
    const std::string text = node_.text;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view rest = std::string_view(text).substr(at);
      if (rest.starts_with("$${")) {
        out += "${";
        at += 3;
      } else if (rest.starts_with(kOpen)) {
        const std::size_t close = rest.find('}');
        const std::string_view inside =
            rest.substr(kOpen.size(), close == rest.npos ? 0 : close - kOpen.size());
        const auto reference = close == rest.npos ? std::nullopt : read_reference(inside);
        if (!reference) return bad_reference();
        const auto value = value_of(*reference);
        if (!value) return;
        added_ += value->size();
        if (added_ > kMostText)
          return fail("too-large", "more than 2 MiB of text from the environment", "");
        out += *value;
        replaced_ = true;
        at += close + 1;
      } else {
        if (rest.starts_with("${")) warn_of_other_form(rest);
        out += text[at++];
      }
    }
    if (replaced_) node_.reference = text;
    node_.text = out;
    if (replaced_) type_it();
  }

 private:
  void fail(std::string code, std::string message, std::string hint) {
    problems_.push_back({std::move(code), node_.place, std::move(message), std::move(hint)});
    node_.broken = true;
  }

  void bad_reference() {
    fail("env-syntax", "this is no reference to the environment",
         "write ${env:NAME} or ${env:NAME:-default}");
  }

  /// Reports a variable whose value cannot be part of a recipe.
  void refuse_value(const std::string& name, const Problem& problem) {
    if (problem.code == "too-large")
      return fail(problem.code,
                  fmt::format("the environment variable {}: {}", name, problem.message),
                  problem.hint);
    fail("env-unset", fmt::format("the environment variable {} holds no text", name),
         "recipes are UTF-8 without control characters");
  }

  std::optional<std::string> value_of(const Reference& reference) {
    const auto value = environment_(reference.name);
    if (value && !value->empty()) {
      // The value is checked like a file, because it becomes part of the recipe.
      const auto problem = check_bytes(std::make_shared<Source>("", "", *value));
      if (!problem) return value;
      refuse_value(reference.name, *problem);
      return std::nullopt;
    }
    if (reference.fallback) return reference.fallback;
    // An empty variable without a default stays empty; a default has precedence over it, as in a
    // shell.
    if (value) return value;
    fail("env-unset", fmt::format("the environment variable {} is not set", reference.name),
         fmt::format("set it, or give a default: ${{env:{}:-default}}", reference.name));
    return std::nullopt;
  }

  /// Warns of `${DATA}`, the form of a shell, and of `${optimizer.lr}`, OmegaConf's reference to
  /// another key. Neither is replaced.
  void warn_of_other_form(std::string_view rest) {
    const std::size_t close = rest.find_first_of("}$", 2);
    if (warned_ || close == rest.npos || rest[close] != '}') return;
    const std::string name(rest.substr(2, close - 2));
    std::string without_dots = name;
    std::erase_if(without_dots, [](char c) { return c == '.' || c == ':'; });
    if (format_fault(Format::identifier, without_dots)) return;
    const bool is_name = without_dots == name;
    warned_ = true;
    problems_.push_back(
        {"env-form", node_.place, fmt::format("'${{{}}}' is not replaced", name),
         is_name ? fmt::format("write ${{env:{}}} for the environment variable, $${{{}}} for this "
                               "text",
                               name, name)
                 : fmt::format("a recipe does not refer to its own keys: write the value, or "
                               "$${{{}}} for this text",
                               name),
         Severity::warning});
  }

  /// Warns of a path such as `$DATA/digits.csv`, which a shell would expand.
  void warn_of_shell_form() {
    const std::string& text = node_.text;
    const std::size_t end = text.find('/');
    if (!text.starts_with('$') || end == text.npos ||
        format_fault(Format::identifier, text.substr(1, end - 1)))
      return;
    const std::string name = text.substr(1, end - 1);
    problems_.push_back({"env-form", node_.place, fmt::format("'${}' is not replaced", name),
                         fmt::format("write ${{env:{}}} for the environment variable", name),
                         Severity::warning});
  }

  void type_it() {
    node_.plain = true;
    // A leading zero and more than 64 bits are faults of numbers only: where the key takes text,
    // the value is fine.
    if (resolve_plain(node_)) node_.kind = Node::Kind::text;
  }

  Node& node_;
  const Environment& environment_;
  std::size_t& added_;
  Problems& problems_;
  bool replaced_ = false;
  bool warned_ = false;
};

/// Expands all texts of a tree that contain a '$'.
void expand_references(Node& node, const Environment& environment, std::size_t& added,
                       Problems& problems) {
  for (Node& item : node.items) expand_references(item, environment, added, problems);
  for (Entry& entry : node.entries) expand_references(entry.value, environment, added, problems);
  if (node.kind == Node::Kind::text && node.text.find('$') != std::string::npos) {
    Expansion(node, environment, added, problems).run();
  }
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
}

void expand_environment(Node& node, const Environment& environment, Problems& problems) {
  std::size_t added = 0;
  expand_references(node, environment, added, problems);
}

void restore_references(Node& node) {
  for (Node& item : node.items) restore_references(item);
  for (Entry& entry : node.entries) restore_references(entry.value);
  if (!node.reference.empty()) {
    node.kind = Node::Kind::text;
    node.text = std::move(node.reference);
    node.reference.clear();
  } else if (node.kind == Node::Kind::text) {
    node.text = with_escapes(node.text);
  }
}

bool is_reference(std::string_view text) {
  if (!text.starts_with(kOpen) || !text.ends_with('}')) return false;
  return !format_fault(Format::identifier,
                       text.substr(kOpen.size(), text.size() - kOpen.size() - 1))
              .has_value();
}

}  // namespace knead::schema
