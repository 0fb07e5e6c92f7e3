#pragma once

#include <map>
#include <set>
#include <string>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Facts that follow from the text of a function alone, before any value is known.
struct Facts {
  std::map<std::string, int> assigned;     // local name to number of assignments; parameter: 1
  std::set<std::string> attributes;        // names after a dot, and all string literals
  std::set<std::string> own_assigned;      // x of `self.x = …`
  std::set<std::string> foreign_assigned;  // x of `other.x = …`
};

/// Reads the facts of a function or a lambda.
Facts read_facts(const Function& function);

/// Return the names that are bound by the statements of a body, by one statement, by one assignment
/// target.
std::set<std::string> assigned_in(const syntax::Body& body);
std::set<std::string> assigned_by(const syntax::Statement& statement);
std::set<std::string> names_bound_by(const syntax::Expression& target);

/// Finds the attributes of modules that methods assign while the model runs and that therefore
/// cannot be constants. A method counts if its name can be reached from `forward`.
class Changes {
 public:
  /// Returns whether a reachable method of `type`, or of another class through an object, assigns
  /// the attribute `name`.
  bool changes(const Class& type, const std::string& name) const;

  /// Follows the method names from `forward` through all these classes.
  explicit Changes(const std::set<const Class*>& classes);

 private:
  /// Names assigned through self, by the class of the object.
  std::map<const Class*, std::set<std::string>> own_;
  std::set<std::string> everywhere_;  // assigned through another object, of any class
};

}  // namespace knead::engine::model
