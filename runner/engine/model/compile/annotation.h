#pragma once

#include <functional>
#include <string>

#include <ATen/core/jit_type.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Looks up a name of the source file; returns null if the file does not define the name. The scope
/// of the file owns the result.
using FindName = std::function<const Value*(const std::string&)>;

/// Returns the TorchScript type of a Python annotation in any spelling: list[int], List[int],
/// Optional[Tensor], `torch.Tensor | None`, a quoted name. tuple[int, ...] is a list, a dtype is an
/// int, and Final[T] is T. Returns null if the annotation or a part of it names any other type, for
/// example a class of the file, Any or a dict whose keys are tuples; the caller decides whether the
/// type is needed.
c10::TypePtr type_of_annotation(const syntax::Expression& annotation, const FindName& find);

/// Returns the type of a dict; null if TorchScript has no dicts with such keys, for example tuples.
c10::TypePtr dict_of(const c10::TypePtr& key, const c10::TypePtr& value);

}  // namespace knead::engine::model
