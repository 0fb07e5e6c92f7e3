#include "schema/document/null_value.h"

#include "schema/document/token.h"

namespace knead::schema {
namespace {

/// Returns the text from one offset to another, empty if they are in the wrong order.
std::string_view between(const Source& source, std::size_t from, std::size_t to) {
  return to > from ? std::string_view(source.text()).substr(from, to - from) : std::string_view();
}

/// Returns whether a null word is the value of a key. On a later line it is, only if it is indented
/// deeper than the key.
bool belongs_to(const Place& key, const Place& word) {
  return !key || word.line() == key.line() || word.column() > key.column();
}

}  // namespace

Node null_node(const std::shared_ptr<const Source>& source, std::size_t mark,
               const NullContext& context) {
  const std::string& text = source->text();
  const std::size_t word = skip_properties(text, mark);
  const std::size_t from = context.key ? context.key.end : context.after;
  const std::string_view gap = between(*source, from, mark);
  const Place written{source, word, null_word_end(text, word)};
  // A ',' between a key and the mark means that the value is empty and the word is the next key.
  const bool is_next_entry = context.key && gap.find(',') != gap.npos;

  Node node;
  node.plain = true;
  if (is_null_word(text, word) && !is_next_entry && belongs_to(context.key, written)) {
    node.place = written;
    node.text = text.substr(word, written.end - word);
    return node;
  }
  node.empty = true;
  node.place = context.key;
  if (context.key) return node;
  const std::size_t dash = gap.find_first_of("-,");
  const std::size_t at = dash == gap.npos ? mark : from + dash;
  node.place = {source, at, at + 1};
  return node;
}

bool lacks_colon(const Node& null, const NullContext& context) {
  if (!null.empty || !context.key || context.in_flow) return false;
  const std::string& text = context.key.source->text();
  const std::size_t next = text.find_first_not_of(" \t", context.key.end);
  return next == std::string::npos || text[next] != ':';
}

bool lacks_space(const Node& null, const NullContext& context) {
  if (!null.empty || !context.key || !context.in_flow) return false;
  const std::string_view key = between(*context.key.source, context.key.begin, context.key.end);
  return key.front() != '"' && key.front() != '\'' && key.find(':') != key.npos;
}

}  // namespace knead::schema
