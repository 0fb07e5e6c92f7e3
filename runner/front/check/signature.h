#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/front/check/model_files.h"

namespace knead::front {

/// Describes a parameter that can be given by name.
struct Argument {
  std::string name;
  const syntax::File* file = nullptr;              // the file that declares it
  syntax::Range range;                             // of the name in this file
  bool is_required = true;                         // it has no default
  bool may_be_none = false;                        // its default is None
  const syntax::Expression* annotation = nullptr;  // null if there is none

  /// Returns the place of the declaration.
  schema::Place place() const { return file->place(range); }
};

/// Lists the arguments that a class or function takes by name.
struct Signature {
  std::vector<Argument> arguments;
  bool takes_others = false;  // **kwargs

  /// Returns the argument of this name; null if there is none.
  const Argument* find(std::string_view name) const;
};

/// Returns the parameters of a class: those of its own or inherited __init__, or the fields of a
/// dataclass, without the object. std::nullopt if only running the files would show them.
std::optional<Signature> signature_of(const ModelFiles& files, const FoundClass& found);

/// Returns the parameters of the own or inherited forward of a class, without the object.
/// std::nullopt if only running the files would show them.
std::optional<Signature> signature_of_forward(const ModelFiles& files, const FoundClass& found);

}  // namespace knead::front
