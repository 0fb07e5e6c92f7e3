#pragma once

#include "runner/front/check/model_files.h"
#include "runner/syntax/bound_names.h"

namespace knead::front {

/// Lists the attributes that the objects of a class have by the text of the model's files.
struct OwnAttributes {
  syntax::Names names;
  bool is_complete = true;  // false if objects may have further attributes
};

/// Collects the attributes of a class and its bases. The result can be complete only for a class
/// below nn.Module.
OwnAttributes attributes_of(const ModelFiles& files, const FoundClass& found);

/// Returns whether a dotted name is one by which files commonly refer to nn.Module.
bool is_module_itself(std::string_view dotted);

/// Returns the last method of a class with this name; null if there is none.
const syntax::Function* method_of(const syntax::Class& one, std::string_view name);

}  // namespace knead::front
