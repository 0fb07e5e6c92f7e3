#pragma once

#include "runner/front/check/model_files.h"
#include "runner/syntax/bound_names.h"

namespace knead::front {

/// What the objects of a class have, as far as its files say it.
struct OwnAttributes {
  syntax::Names names;
  bool is_complete = true;  // false: something else may give them more
};

/// Only for classes below nn.Module it can be complete.
OwnAttributes attributes_of(const ModelFiles& files, const FoundClass& found);

/// Whether this is nn.Module itself, as files commonly name it.
bool is_module_itself(std::string_view dotted);

/// The function of that name in a class, the last of several; null if there is none.
const syntax::Function* method_of(const syntax::Class& one, std::string_view name);

}  // namespace knead::front
