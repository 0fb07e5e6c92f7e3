#include "runner/data/sets/found_classes.h"

#include <string>
#include <utility>

#include "runner/data/sets/training_set.h"
#include "schema/document/shown_text.h"

namespace knead::data {
namespace {

schema::Node as_default(schema::Node node) {
  node.is_default = true;
  return node;
}

}  // namespace

schema::Node with_found_classes(schema::Node tree, const recipe::Data& data) {
  recipe::DataSet train = data.train;
  if (all_of_kind<recipe::Images>(train).empty()) return tree;
  schema::Node classes;
  classes.kind = schema::Node::Kind::list;
  for (const std::string& name : training_classes(train)) {
    if (schema::shown_text(name) != name) return tree;  // no text that can stand in a recipe
    classes.items.push_back(as_default(schema::text_node(name, {})));
  }
  if (classes.items.empty()) return tree;
  classes = as_default(std::move(classes));
  const auto add_to = [&](schema::Node& set) {
    const schema::Node* type = set.find("type");
    if (type && type->text == "images" && !set.find("classes"))
      set.entries.push_back({"classes", {}, classes});
  };
  schema::Node& set = *tree.find("data")->find("train");
  add_to(set);
  if (schema::Node* members = set.find("of")) {
    for (schema::Node& member : members->items) add_to(member);
  }
  return tree;
}

}  // namespace knead::data
