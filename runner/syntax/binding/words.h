#pragma once

#include <string>

#include "runner/syntax/binding/bind_call.h"

namespace knead::syntax {

/// Returns the words of Python's TypeError that follow the name of the function: "missing 1
/// required positional argument: 'x'". The caller puts the name before them, "forward() ", and
/// reports the place. Words and plurals are those of CPython 3.11, so that a search for the message
/// finds its answers.
std::string python_words(const Fault& fault);

}  // namespace knead::syntax
