#pragma once

#include <functional>
#include <string>

#include <ATen/core/jit_type.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Looks up a name of the file; null if there is none.
using FindName = std::function<const Value*(const std::string&)>;

/// The type of TorchScript's that an annotation means, in any of Python's spellings: list[int],
/// List[int], Optional[Tensor], `torch.Tensor | None`, tuple[int, ...]. Null where it names
/// something else: a class of the file, Any.
c10::TypePtr type_of_annotation(const syntax::Expression& annotation, const FindName& find);

}  // namespace knead::engine::model
