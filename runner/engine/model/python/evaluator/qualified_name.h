#pragma once

#include <string>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// "Block.__init__", as Python names a function in its messages. What a layer has from a base that
/// only layers know is the layer's: `of` is the class of the object that it is called for, or null.
std::string qualified_name(const Function& function, const Class* of);

}  // namespace knead::engine::model
