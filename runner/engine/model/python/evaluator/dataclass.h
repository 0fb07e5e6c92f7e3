#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Implements @dataclass: the annotated names of the class body become fields, and the class gets
/// an __init__ that takes them. Throws Mistake for a mutable default or a wrong order of defaults.
void make_dataclass(Class& type, bool frozen);

/// Gives a class whose fields are set an __init__ that takes them, unless it has its own.
void make_record(Class& type, bool frozen);

/// Implements dataclasses.replace(): returns a copy of the record (the only positional argument)
/// with new values for the named fields.
Value replace_fields(Evaluator& evaluator, const Arguments& arguments);

/// Returns the module of `import dataclasses`.
std::shared_ptr<Namespace> dataclasses_module();

}  // namespace knead::engine::model
