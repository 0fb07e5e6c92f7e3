#include "schema/print/reference.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "schema/rules/problem_kinds.h"
#include "schema/table/key_words.h"
#include "schema/table/table.h"

namespace knead::schema {
namespace {

constexpr std::string_view kTop = R"(# The recipe language

Made by `knead schema --format markdown` from `schema/language/`. `knead explain KEY` shows one key.
How large and deep files may be stands in README.md, what a model may take in models/README.md.

A recipe is one YAML file. Text rules: YAML 1.2's core schema (`yes`, `on`, `1_000` and quoted numbers are text; a number
with a leading zero is an error). Anchors, aliases and `<<` merges work; a key written twice is an error, and so is a key
that is not listed here. Top-level keys that begin with `x-` are yours. Paths are relative to the file that names them.
`${env:NAME}` and `${env:NAME:-default}` are replaced, and the result is typed like a written scalar; `$${` stands for
`${`. `extends: [a.yaml]` builds on other recipes. `key.path=value` after a recipe on the command line comes last. `null`
leaves a key out.

A list of one may be written without brackets, and a bare value stands for one key of a block where this page says so.
Quantities carry their unit: `100 steps`, `2 epochs`, `5e6 samples`, `1e9 tokens`, `30 min` (also `s`, `h` and the long
words), `10%`, `25 MB`, `2 GiB`. A *step* is one optimizer step.

In the tables, **required** keys must be there (below a block: if the block is there); *absent* means that nothing happens
unless the key is written.
)";

/// Escapes a text for a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    // A bar ends a cell, and an angle bracket begins HTML.
    if (c == '<') {
      out += "&lt;";
      continue;
    }
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

/// Returns the anchor of a heading that is one word, as GitHub makes it: the word in small letters.
std::string anchor(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::string default_cell(const Key& key) {
  if (key.required) return "**required**";
  if (key.has_default) return fmt::format("`{}`", cell(key.default_value));
  if (!key.computed_default.empty()) return cell(default_in_words(key));
  return "*absent*";
}

/// Describes a value for a table. Blocks and kinds become a link to their own section.
std::string value_cell(const Type& type) {
  const Type& inner =
      type.shape == Shape::list || type.shape == Shape::dictionary ? *type.items : type;
  if (inner.shape != Shape::block && inner.shape != Shape::kinds) return cell(value_in_words(type));
  const std::string link = fmt::format("[{}](#{})", inner.name, anchor(inner.name));
  if (type.shape == Shape::list) return "a list of " + link;
  if (type.shape != Shape::dictionary) return link;
  return (type.names == Format::key_path ? "paths of keys, each a "
                                         : "names of your own, each a ") +
         link;
}

class Page {
 public:
  std::string run(const Type& root) {
    out_ = kTop;
    section(root, "The top level");
    out_ += "\n## Problems\n\nThe kinds of problems that `knead lint` knows, by their slugs.\n\n";
    for (const ProblemKind& kind : problem_kinds()) {
      out_ += fmt::format("* <a id=\"{0}\"></a>`{0}`: {1}\n", kind.code, kind.words);
    }
    return std::move(out_);
  }

 private:
  void section(const Type& type, std::string_view title) {
    if (!done_.insert(std::string(title)).second) return;
    out_ += fmt::format("\n## {}\n", title);
    if (!type.scalar_key.empty())
      out_ += fmt::format("\nA bare value is its `{}`.\n", type.scalar_key);
    if (type.shape == Shape::kinds) {
      for (const Kind& kind : type.kinds) {
        out_ += fmt::format("\n### {}\n\n{}\n", kind.name, kind.description);
        table(*kind.type);
      }
    } else {
      table(type);
    }
    below(type);
  }

  void table(const Type& type) {
    out_ += "\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
    for (const Key& key : type.keys) {
      const bool is_kind = key.example.empty() && key.name == "type";
      const std::string example =
          key.example.empty() ? "" : fmt::format(" Example: `{}: {}`", key.name, cell(key.example));
      out_ +=
          fmt::format("| `{}` | {} | {} | {}{} |\n", key.name,
                      is_kind ? fmt::format("`{}`", key.type->choices[0]) : value_cell(*key.type),
                      default_cell(key), cell(key.description), example);
    }
  }

  /// Writes the sections of the blocks that a block's keys lead to, in the order of the keys.
  void below(const Type& type) {
    for (const Kind& kind : type.kinds) below(*kind.type);
    for (const Key& key : type.keys) {
      const Type& inner = key.type->items ? *key.type->items : *key.type;
      if (inner.shape == Shape::block || inner.shape == Shape::kinds) section(inner, inner.name);
    }
  }

  std::string out_;
  std::set<std::string> done_;
};

}  // namespace

std::string reference_page() { return Page().run(recipe_type()); }

}  // namespace knead::schema
