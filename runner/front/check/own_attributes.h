#pragma once

#include "runner/front/check/model_files.h"
#include "runner/syntax/bound_names.h"

namespace knead::front {

/// Lists the attributes that the objects of a class have by the text of the model's files.
struct OwnAttributes {
  /// Attributes of nn.Module, members of the classes, registered names, and every attribute that
  /// their files assign to any object.
  syntax::Names names;
  /// False if objects may have further attributes, for example by __getattr__, by a base outside of
  /// the files, or through a function that receives the object. Then a missing name proves nothing.
  bool is_complete = true;
};

/// Collects the attributes of a class and its bases. The result can be complete only for a class
/// below nn.Module.
OwnAttributes attributes_of(const ModelFiles& files, const FoundClass& found);

/// Returns whether a dotted name is one by which files commonly refer to nn.Module: "nn.Module",
/// "torch.nn.Module" or "Module". Imports are not followed.
bool is_module_itself(std::string_view dotted);

/// Returns the last method of a class with this name, which is the one that counts in Python; null
/// if there is none. Bases are not searched.
const syntax::Function* method_of(const syntax::Class& one, std::string_view name);

}  // namespace knead::front
