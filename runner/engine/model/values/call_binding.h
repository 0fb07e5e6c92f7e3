#pragma once

#include <string>
#include <string_view>

#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/value.h"
#include "runner/syntax/binding/bind_call.h"

namespace knead::engine::model {

// Connects Python's rules of calls, which know no values, with the arguments of a call.

syntax::ArgumentShape shape_of(const Arguments& arguments);

/// Returns the argument that fills a slot; null for a default, *args and **kwargs.
const Value* argument_in(const syntax::Slot& slot, const Arguments& arguments);

/// Returns a remedy for a fault, the name that may be meant; empty if there is none.
std::string remedy(const syntax::Fault& fault);

/// Returns the mistake of a call that Python refuses, in the words of Python.
Mistake wrong_call(std::string_view function, const syntax::Fault& fault);

}  // namespace knead::engine::model
