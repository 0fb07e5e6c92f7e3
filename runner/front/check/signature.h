#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/front/check/model_files.h"

namespace knead::front {

/// Describes a parameter that can be given by name.
struct Argument {
  std::string name;
  /// The file that declares it, which may be that of a base.
  const syntax::File* file = nullptr;
  /// Bytes of the name in this file.
  syntax::Range range;
  bool is_required = true;   // it has no default
  bool may_be_none = false;  // its default is None
  /// Its annotation, which belongs to the file; null if there is none.
  const syntax::Expression* annotation = nullptr;

  /// Returns the place of the declaration.
  schema::Place place() const { return file->place(range); }
};

/// Lists the arguments that a class or function takes by name.
struct Signature {
  std::vector<Argument> arguments;
  /// It has **kwargs, so that any further name is accepted.
  bool takes_others = false;

  /// Returns the argument of this name; null if there is none.
  const Argument* find(std::string_view name) const;
};

/// Returns the parameters of a class: those of its own or inherited __init__, or the fields of a
/// dataclass with those of its bases, without the object. std::nullopt if only running the files
/// would show them: for a decorator, a metaclass, an __init__ from several bases or from a base
/// outside of the files, or a positional-only parameter. Pointers in the result belong to `files`.
std::optional<Signature> signature_of(const ModelFiles& files, const FoundClass& found);

/// Returns the parameters of the own or inherited forward of a class, without the object.
/// std::nullopt if only running the files would show them, or if the first parameter is not called
/// self.
std::optional<Signature> signature_of_forward(const ModelFiles& files, const FoundClass& found);

}  // namespace knead::front
