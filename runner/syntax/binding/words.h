#pragma once

#include <string>

#include "runner/syntax/binding/bind_call.h"

namespace knead::syntax {

/// Returns the words of Python's TypeError that follow the name of the function: "missing 1
/// required positional argument: 'x'".
std::string python_words(const Fault& fault);

}  // namespace knead::syntax
