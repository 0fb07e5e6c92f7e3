#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// What @dataclass does: the annotated names of the class body become fields, and the arguments of
/// an __init__ of ours.
void make_dataclass(Class& type, bool frozen);

/// The same for a class whose fields are known: an __init__ that takes them.
void make_record(Class& type, bool frozen);

/// A copy of a record, the only argument by position, with other values of the fields named.
Value replace_fields(Evaluator& evaluator, const Arguments& arguments);

/// The namespace of `import dataclasses`.
std::shared_ptr<Namespace> dataclasses_module();

}  // namespace knead::engine::model
