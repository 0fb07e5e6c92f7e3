#pragma once

#include "runner/engine/model/evaluator.h"

namespace knead::engine::model {

/// What @dataclass does: the annotated names of the class body become fields, and the arguments of
/// an __init__ of ours.
void make_dataclass(Class& type, bool frozen);

/// The namespace of `import dataclasses`.
std::shared_ptr<Namespace> dataclasses_module();

}  // namespace knead::engine::model
