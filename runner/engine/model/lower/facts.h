#pragma once

#include <map>
#include <set>
#include <string>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Facts that follow from the text of a function alone, before any value is known. The bodies of
/// nested functions and classes are left out; their names count as assigned.
struct Facts {
  /// Counts the assignments of each local name. A parameter counts one for the call, and an
  /// augmented assignment counts two, because it also needs a value before it.
  std::map<std::string, int> assigned;
  /// Names after a dot, and all string literals, because getattr() may receive them.
  std::set<std::string> attributes;
  /// Attributes that are assigned through the first parameter of a method: x of `self.x = …`.
  std::set<std::string> own_assigned;
  /// Attributes that are assigned through any other expression: x of `other.x = …` and of
  /// `self.block.x = …`.
  std::set<std::string> foreign_assigned;
};

/// Reads the facts of a function or a lambda. Takes time linear in the size of its text and
/// evaluates nothing.
Facts read_facts(const Function& function);

/// Return the names that are bound by the statements of a body and of its nested bodies, by one
/// statement without its nested bodies, and by one assignment target. Attributes and items are not
/// names.
std::set<std::string> assigned_in(const syntax::Body& body);
std::set<std::string> assigned_by(const syntax::Statement& statement);
std::set<std::string> names_bound_by(const syntax::Expression& target);

/// Finds the attributes of modules that methods assign while the model runs and that therefore
/// cannot be constants. A method counts if its name can be reached from `forward`. Functions are
/// matched by name alone, so the result may contain too many attributes and never too few.
class Changes {
 public:
  /// Returns whether a reachable method of `type`, its bases included, or of another class through
  /// an object, assigns the attribute `name`. Methods of a class that the constructor did not get
  /// do not count.
  bool changes(const Class& type, const std::string& name) const;

  /// Follows the method names from `forward` through all these classes, which are the classes of
  /// the modules of one model. The classes must outlive this object.
  explicit Changes(const std::set<const Class*>& classes);

 private:
  /// Names assigned through self, by the class of the object.
  std::map<const Class*, std::set<std::string>> own_;
  /// Names assigned through another object; the class of that object is not known, so they count
  /// for every class.
  std::set<std::string> everywhere_;
};

}  // namespace knead::engine::model
