#include "schema/like.h"

#include <set>

#include <fmt/format.h>

#include "schema/suggest.h"

namespace knead::schema {
namespace {

/// The sets of one block, each of which may be like another.
class Siblings {
 public:
  Siblings(Node& block, const Type& type, Problems& problems) : block_(block), problems_(problems) {
    for (const Key& key : type.keys) {
      if (key.type->like) names_.emplace_back(key.name);
    }
  }

  void expand_all() {
    for (const std::string& name : names_) expand(name);
  }

 private:
  void expand(const std::string& name) {
    Node* set = block_.find(name);
    Node* like = set ? set->find("like") : nullptr;
    if (!like || like->is_null() || set->broken || !done_.insert(name).second) return;
    if (!like->is_scalar()) return;  // validation says that a name is wanted
    Node* other = sibling(name, *like);
    if (!other) {
      set->broken = true;
      return;
    }
    under_way_.insert(name);
    expand(like->text);
    under_way_.erase(name);
    other = block_.find(like->text);
    if (other->broken || !other->is_map()) {
      set->broken = true;
      return;
    }
    Node taken = *other;
    taken.erase("hold_out");
    taken.erase("like");
    *set = merged(std::move(taken), std::move(*set));
  }

  Node* sibling(const std::string& name, const Node& like) {
    if (like.text == name || under_way_.contains(like.text)) {
      problems_.push_back({"like-cycle", like.place, fmt::format("'{}' is like itself in the end", name),
                           "one of the sets must be written out"});
      return nullptr;
    }
    bool known = false;
    for (const std::string& other : names_) known = known || other == like.text;
    Node* found = known ? block_.find(like.text) : nullptr;
    if (found && !found->is_null()) return found;
    std::vector<std::string_view> others;
    for (const std::string& other : names_) {
      if (other != name && block_.find(other)) others.push_back(other);
    }
    const std::string_view near = nearest(like.text, others);
    problems_.push_back({"like-unknown", like.place, fmt::format("there is no set '{}' beside '{}'", like.text, name),
                         !near.empty()     ? fmt::format("did you mean '{}'?", near)
                         : others.empty() ? "no other set is written"
                                          : fmt::format("there is {}", fmt::join(others, ", "))});
    return nullptr;
  }

  Node& block_;
  Problems& problems_;
  std::vector<std::string> names_;
  std::set<std::string> done_;
  std::set<std::string> under_way_;
};

}  // namespace

void expand_like(Node& node, const Type& type, Problems& problems) {
  if (!node.is_map() || type.shape != Shape::block) return;
  Siblings(node, type, problems).expand_all();
  for (Entry& entry : node.entries) {
    const Key* key = find_key(type, entry.key);
    if (key) expand_like(entry.value, *key->type, problems);
  }
}

}  // namespace knead::schema
