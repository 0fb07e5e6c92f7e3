#include "schema/merge/like.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "schema/document/suggest.h"

namespace knead::schema {
namespace {

/// The data sets of one block, each of which may name another by `like`.
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
  /// Completes one set, after the set that it names.
  void expand(const std::string& name) {
    Node* set = block_.find(name);
    const Node* like = set ? set->find("like") : nullptr;
    // Validation reports a `like` that is not text.
    if (!like || like->kind != Node::Kind::text || like->text.empty() || !done_.insert(name).second)
      return;
    const std::string other_name = like->text;
    if (!is_sibling(name, *like)) return;
    // The other set is completed first, because it may be like a third one.
    under_way_.insert(name);
    expand(other_name);
    under_way_.erase(name);
    const Node* other = block_.find(other_name);
    if (!other->is_map()) return;  // validation reports the other set
    Node taken = *other;
    taken.erase("hold_out");
    taken.erase("like");
    // A null removes a key from the other set only; it is not a value to copy.
    std::erase_if(taken.entries, [](const Entry& entry) { return entry.value.is_null(); });
    // If the other set has no valid kind, its keys cannot be checked, and then neither can this
    // set's.
    if (!has_kind(*other, other_name)) set->erase("type");
    *set = merged(std::move(taken), std::move(*set));
  }

  /// Returns whether a set has a `type` that exists.
  bool has_kind(const Node& set, const std::string& name) const {
    const Node* chosen = set.find("type");
    return chosen && find_kind(*find_key(type_, name)->type, chosen->text);
  }

  /// Returns whether `like` names another set of this block, and otherwise reports it. The caller
  /// then leaves the set incomplete.
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
    // Validation reports a required set that is missing, and a set that is misspelt.
    if (is_name && (is_required(like.text) || is_misspelt(like.text))) return false;
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
    return did_you_mean(name, others,
                        others.empty() ? "no other set is written"
                                       : fmt::format("there is {}", fmt::join(others, ", ")));
  }

  bool is_misspelt(const std::string& name) const {
    const std::string_view names[] = {name};
    return std::any_of(block_.entries.begin(), block_.entries.end(), [&](const Entry& entry) {
      return !find_key(type_, entry.key) && !nearest(entry.key, names).empty();
    });
  }

  bool is_required(const std::string& name) const { return find_key(type_, name)->required; }

  Node& block_;
  const Type& type_;
  Problems& problems_;
  std::vector<std::string> names_;
  std::set<std::string> done_;
  std::set<std::string> under_way_;
};

/// Refuses `like` in the sets of a mix, because sets in a list have no names.
void refuse_likes(Node& list, const Type& items, Problems& problems) {
  const bool has_like = std::any_of(items.kinds.begin(), items.kinds.end(), [](const Kind& kind) {
    return find_key(*kind.type, "like") != nullptr;
  });
  if (!has_like || items.like) return;
  for (Node& item : list.items) {
    const Node* like = item.find("like");
    if (!like || like->is_null()) continue;
    problems.push_back({"like-unknown", like->place,
                        "'like' names a set beside this one, and a set of a mix has none",
                        "write it out; an anchor (&name, *name) saves writing it twice"});
  }
}

}  // namespace

void expand_like(Node& node, const Type& type, Problems& problems) {
  if (!node.is_map() || type.shape != Shape::block) return;
  Siblings(node, type, problems).expand_all();
  for (Entry& entry : node.entries) {
    const Key* key = find_key(type, entry.key);
    if (key) expand_like(entry.value, *key->type, problems);
    // The sets of a mix are items of a list in one of the kinds.
    for (const Kind& kind : key ? key->type->kinds : std::span<const Kind>()) {
      for (Entry& below : entry.value.entries) {
        const Key* list = find_key(*kind.type, below.key);
        if (list && list->type->shape == Shape::list && below.value.is_list())
          refuse_likes(below.value, *list->type->items, problems);
      }
    }
  }
}

}  // namespace knead::schema
