#pragma once

#include <string>
#include <string_view>

#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/value.h"
#include "runner/syntax/binding/bind_call.h"

namespace knead::engine::model {

// Connects Python's rules of calls, which know no values, with the arguments of a call.

/// Returns the number of positional arguments and the names of the others. The names are views into
/// `arguments`, which must outlive the result and a Binding made from it.
syntax::ArgumentShape shape_of(const Arguments& arguments);

/// Returns the argument that fills a slot; null for a default, *args and **kwargs, which no single
/// argument fills. `slot` must come from a binding of these arguments, which own the result.
const Value* argument_in(const syntax::Slot& slot, const Arguments& arguments);

/// Returns "did you mean 'bias'?" for an unexpected keyword that resembles a parameter; an empty
/// text for every other fault.
std::string remedy(const syntax::Fault& fault);

/// Returns the mistake of a call that Python refuses, in the words of Python: "Linear.__init__()
/// missing 1 required positional argument: 'out_features'".
Mistake wrong_call(std::string_view function, const syntax::Fault& fault);

}  // namespace knead::engine::model
