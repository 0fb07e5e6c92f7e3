#include "schema/like.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "schema/suggest.h"

namespace knead::schema {
namespace {

/// The sets of one block, each of which may be like another.
class Siblings {
 public:
  Siblings(Node& block, const Type& type, Problems& problems)
      : block_(block), type_(type), problems_(problems) {
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
    const Node* like = set ? set->find("like") : nullptr;
    // A name that is no text is reported by validation.
    if (!like || like->kind != Node::Kind::text || like->text.empty() || !done_.insert(name).second)
      return;
    const std::string other_name = like->text;
    if (!is_sibling(name, *like)) return;
    under_way_.insert(name);
    expand(other_name);
    under_way_.erase(name);
    const Node* other = block_.find(other_name);
    if (!other->is_map()) return;  // what it lacks is said where it stands
    Node taken = *other;
    taken.erase("hold_out");
    taken.erase("like");
    std::erase_if(taken.entries, [](const Entry& entry) { return entry.value.is_null(); });
    *set = merged(std::move(taken), std::move(*set));
  }

  /// Whether a set names another one that is there. Without it, what the set lacks is nobody's
  /// mistake.
  bool is_sibling(const std::string& name, const Node& like) {
    if (like.text == name || under_way_.contains(like.text)) {
      problems_.push_back({"like-cycle", like.place,
                           fmt::format("'{}' is like itself in the end", name),
                           "one of the sets must be written out"});
      return false;
    }
    const bool is_name = std::find(names_.begin(), names_.end(), like.text) != names_.end();
    const Node* found = is_name ? block_.find(like.text) : nullptr;
    if (found && !found->is_null()) return true;
    if (is_name && is_required(like.text)) return false;  // that it is missing is reported
    std::vector<std::string_view> others;
    for (const std::string& other : names_) {
      if (other != name && block_.find(other)) others.push_back(other);
    }
    problems_.push_back({"like-unknown", like.place,
                         fmt::format("there is no set '{}' beside '{}'", like.text, name),
                         hint(like.text, others)});
    return false;
  }

  static std::string hint(const std::string& name, const std::vector<std::string_view>& others) {
    const std::string_view near = nearest(name, others);
    if (!near.empty()) return fmt::format("did you mean '{}'?", near);
    return others.empty() ? "no other set is written"
                          : fmt::format("there is {}", fmt::join(others, ", "));
  }

  bool is_required(const std::string& name) const { return find_key(type_, name)->required; }

  Node& block_;
  const Type& type_;
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
