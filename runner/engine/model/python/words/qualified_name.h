#pragma once

#include <string>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Returns the name of a function as Python shows it: "Block.__init__". A function of a private
/// base class (name with a leading underscore) is named after the public class that inherits it;
/// `of` is the class of the object of the call, or null.
std::string qualified_name(const Function& function, const Class* of);

}  // namespace knead::engine::model
