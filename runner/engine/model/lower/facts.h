#pragma once

#include <map>
#include <set>
#include <string>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// What can be read off a function's text, before anything is known about its values.
struct Facts {
  std::map<std::string, int> assigned;  // local names, and how often each is assigned; parameters 1
  std::set<std::string> attributes;     // names after a dot, and texts given to getattr
  std::set<std::string> own_assigned;   // x of `self.x = …`
  std::set<std::string> foreign_assigned;  // x of `other.x = …`
};

Facts read_facts(const Function& function);

/// The names that the statements of a body assign, a statement, a target of an assignment.
std::set<std::string> assigned_in(const syntax::Body& body);
std::set<std::string> assigned_by(const syntax::Statement& statement);
std::set<std::string> names_bound_by(const syntax::Expression& target);

/// Attributes of a module that its methods assign while the model runs: those cannot be constants.
/// Counts what can be reached from `forward`, by name.
class Changes {
 public:
  /// Whether a reachable method of `type` assigns its attribute `name`.
  bool changes(const Class& type, const std::string& name) const;

  /// Follows the methods from `forward` of all these classes.
  explicit Changes(const std::set<const Class*>& classes);

 private:
  std::map<const Class*, std::set<std::string>> own_;
  std::set<std::string> everywhere_;
};

}  // namespace knead::engine::model
