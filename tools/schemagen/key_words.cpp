#include "tools/schemagen/key_words.h"

#include "schema/document/yaml_text.h"
#include "tools/schemagen/dialect.h"

namespace knead::schemagen {

using schema::Node;

bool is_true(const Node& node, std::string_view key) {
  const Node* value = node.find(key);
  return value && value->boolean;
}

std::string text_of(const Node& node, std::string_view key) {
  const Node* value = node.find(key);
  if (!value) return "";
  return value->kind == Node::Kind::text ? value->text : schema::flow_as_yaml(*value);
}

namespace {

/// Reads an item of x-also: a name, or {words: [name, name]} with the same words for each name.
void read_names(const Node& item, std::vector<std::string>& also) {
  if (!item.is_map()) return also.push_back(item.text);
  for (const schema::Entry& entry : item.entries) {
    if (!entry.value.is_list()) refuse(entry.place, "words stand before a list of names");
    for (const Node& name : entry.value.items) also.push_back(name.text + ": " + entry.key);
  }
}

}  // namespace

void read_key_words(const Node& node, KeyModel& out) {
  const auto take = [&](std::string_view name, std::string& into) {
    if (node.find(name)) into = text_of(node, name);
  };
  take("description", out.description);
  take("x-default", out.computed_default);
  take("x-deprecated", out.deprecated);
  if (const Node* example = node.find("x-example")) {
    out.example = example->is_scalar() ? example->text : schema::flow_as_yaml(*example);
  }
  if (const Node* value = node.find("default")) out.default_value = schema::flow_as_yaml(*value);
  if (is_true(node, "x-auto")) out.automatic = true;
  if (is_true(node, "x-secret")) out.secret = true;
  if (is_true(node, "x-document")) out.document = true;
  if (text_of(node, "x-resume") == "free") out.resume_free = true;
  if (const Node* also = node.find("x-also")) {
    out.also.clear();
    for (const Node& item : also->items) read_names(item, out.also);
  }
}

}  // namespace knead::schemagen
