#include "runner/syntax/classes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "runner/syntax/bound_names.h"
#include "runner/syntax/walk.h"

namespace knead::syntax {
namespace {

/// Collects every name that is read in a node.
struct NamesIn {
  std::set<std::string, std::less<>>& names;

  void operator()(const Expression& one) {
    if (const auto* name = std::get_if<Name>(&one.kind)) names.insert(name->id);
    for_each_child(one, *this);
  }
  void operator()(const Statement& one) { for_each_child(one, *this); }
};

bool binds_target(const Expression& target, std::string_view name) {
  if (const auto* one = std::get_if<Name>(&target.kind)) return one->id == name;
  if (const auto* star = std::get_if<Starred>(&target.kind))
    return binds_target(*star->value, name);
  const auto* tuple = std::get_if<Tuple>(&target.kind);
  const auto* list = std::get_if<List>(&target.kind);
  if (!tuple && !list) return false;
  const Expressions& items = tuple ? tuple->items : list->items;
  return std::any_of(items.begin(), items.end(),
                     [&](const Expression& item) { return binds_target(item, name); });
}

/// Returns whether a target of the statement itself is the name, without nested blocks.
bool binds_in_targets(const Statement& statement, std::string_view name) {
  const auto target = [&](const Expression& one) { return binds_target(one, name); };
  if (const auto* one = std::get_if<Assign>(&statement.kind)) {
    return std::any_of(one->targets.begin(), one->targets.end(), target);
  }
  if (const auto* one = std::get_if<AnnotatedAssign>(&statement.kind)) {
    return one->value && target(one->target);
  }
  if (const auto* one = std::get_if<AugmentedAssign>(&statement.kind)) return target(one->target);
  if (const auto* one = std::get_if<Delete>(&statement.kind)) {
    return std::any_of(one->targets.begin(), one->targets.end(), target);
  }
  if (const auto* one = std::get_if<For>(&statement.kind)) return target(one->target);
  if (const auto* one = std::get_if<Try>(&statement.kind)) {
    return std::any_of(one->handlers.begin(), one->handlers.end(),
                       [&](const Except& each) { return each.name == name; });
  }
  const auto* with = std::get_if<With>(&statement.kind);
  return with && std::any_of(with->items.begin(), with->items.end(), [&](const With::Item& item) {
           return item.target && target(*item.target);
         });
}

bool binds_import(const Import& import, std::string_view name) {
  return std::any_of(import.names.begin(), import.names.end(), [&](const ImportedName& one) {
    if (!one.alias.empty()) return one.alias == name;
    return std::string_view(one.name).substr(0, one.name.find('.')) == name;
  });
}

/// Searches nested blocks and the `:=` in expressions, but not functions and classes, which have
/// scopes of their own.
struct Binds {
  std::string_view name;
  bool found = false;

  void operator()(const Expression& one) { found = found || walrus_names(one).contains(name); }
  void operator()(const Statement& one) { found = found || binds(one, name); }
};

/// Known base classes that are not modules.
constexpr std::array<std::string_view, 9> kNoModules{"object",    "ABC",      "Enum",
                                                     "IntEnum",   "StrEnum",  "NamedTuple",
                                                     "TypedDict", "Protocol", "Exception"};

/// Decides which classes of a file may be modules, by their bases.
class ModuleTest {
 public:
  explicit ModuleTest(const File& file) {
    for (const Class* one : classes_of(file)) classes_[one->name] = one;
  }

  bool may_be(const Class& one, int depth = 0) {
    if (dataclass_decorator(one)) return false;
    const auto [known, is_new] = known_.emplace(&one, false);  // false ends a cycle of bases
    if (!is_new) return known->second;
    const bool may = std::any_of(one.bases.begin(), one.bases.end(), [&](const Expression& base) {
      return is_below_module(base, depth);
    });
    return known_[&one] = may;
  }

 private:
  bool is_below_module(const Expression& base, int depth) {
    constexpr int kMostSteps = 64;  // bounds the recursion over bases
    const std::string dotted = dotted_name(base);
    const auto own = classes_.find(dotted);
    if (own != classes_.end()) return depth >= kMostSteps || may_be(*own->second, depth + 1);
    // A base from another file may be a module unless its name is known.
    const std::string_view last = std::string_view(dotted).substr(dotted.rfind('.') + 1);
    return std::find(kNoModules.begin(), kNoModules.end(), last) == kNoModules.end();
  }

  std::map<std::string, const Class*, std::less<>> classes_;
  std::map<const Class*, bool> known_;
};

/// The functions and classes at the top level of a file, by the names that they read.
class Users {
 public:
  explicit Users(const File& file) {
    for (const Statement& statement : file.body) {
      const auto* function = std::get_if<Function>(&statement.kind);
      const auto* one = std::get_if<Class>(&statement.kind);
      if (!function && !one) continue;
      std::set<std::string, std::less<>> names;
      NamesIn{names}(statement);
      for (const std::string& name : names) {
        users_[name].push_back({function ? function->name : one->name, one != nullptr});
      }
    }
  }

  /// Returns whether another class uses this one, directly or through functions.
  bool is_used(const std::string& name) const {
    std::set<std::string, std::less<>> seen{name};
    std::vector<std::string> left{name};
    while (!left.empty()) {
      const auto found = users_.find(left.back());
      left.pop_back();
      if (found == users_.end()) continue;
      for (const User& user : found->second) {
        if (user.is_class && user.name != name) return true;
        if (!user.is_class && seen.insert(user.name).second) left.push_back(user.name);
      }
    }
    return false;
  }

 private:
  struct User {
    std::string name;
    bool is_class;
  };
  std::map<std::string, std::vector<User>, std::less<>> users_;
};

}  // namespace

std::vector<const Class*> classes_of(const File& file) {
  std::vector<const Class*> classes;
  for (const Statement& statement : file.body) {
    if (const auto* one = std::get_if<Class>(&statement.kind)) classes.push_back(one);
  }
  return classes;
}

bool binds(const Statement& statement, std::string_view name) {
  if (const auto* one = std::get_if<Function>(&statement.kind)) return one->name == name;
  if (const auto* one = std::get_if<Class>(&statement.kind)) return one->name == name;
  if (const auto* one = std::get_if<Import>(&statement.kind)) return binds_import(*one, name);
  if (binds_in_targets(statement, name)) return true;
  Binds below{name};
  for_each_child(statement, below);
  return below.found;
}

std::string dotted_name(const Expression& expression) {
  if (const auto* name = std::get_if<Name>(&expression.kind)) return name->id;
  const auto* attribute = std::get_if<Attribute>(&expression.kind);
  if (!attribute) return "";
  const std::string before = dotted_name(*attribute->value);
  return before.empty() ? "" : before + "." + attribute->name;
}

const Expression* dataclass_decorator(const Class& one) {
  for (const Expression& decorator : one.decorators) {
    const auto* call = std::get_if<Call>(&decorator.kind);
    const std::string name = dotted_name(call ? *call->callee : decorator);
    if (name == "dataclass" || name.ends_with(".dataclass")) return &decorator;
  }
  return nullptr;
}

bool may_be_module(const File& file, const Class& one) { return ModuleTest(file).may_be(one); }

std::vector<const Class*> modules_of(const File& file) {
  ModuleTest test(file);
  std::vector<const Class*> modules;
  for (const Class* one : classes_of(file)) {
    if (test.may_be(*one)) modules.push_back(one);
  }
  return modules;
}

std::vector<const Class*> outermost_modules(const File& file) {
  const Users users(file);
  std::vector<const Class*> outermost;
  for (const Class* one : modules_of(file)) {
    if (!users.is_used(one->name)) outermost.push_back(one);
  }
  return outermost;
}

}  // namespace knead::syntax
