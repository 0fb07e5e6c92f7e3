#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/front/check/model_files.h"

namespace knead::front {

/// An argument that a class is built with.
struct Argument {
  std::string name;
  const syntax::File* file = nullptr;
  syntax::Range range;  // of its name, in that file
  bool is_required = true;
  bool may_be_none = false;                        // by its default
  const syntax::Expression* annotation = nullptr;  // null: none is written

  schema::Place place() const { return file->place(range); }
};

/// What a class can be called with, by name.
struct Signature {
  std::vector<Argument> arguments;
  bool takes_others = false;  // **kwargs

  const Argument* find(std::string_view name) const;
};

/// The parameters of the __init__ that a class has, itself or from a base; the fields of a
/// dataclass. Nothing where only running the files would tell.
std::optional<Signature> signature_of(const ModelFiles& files, const FoundClass& found);

/// The parameters of the forward that a class has, itself or from a base, without its object.
/// Nothing where only running the files would tell.
std::optional<Signature> signature_of_forward(const ModelFiles& files, const FoundClass& found);

}  // namespace knead::front
