#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Implements @dataclass: the annotated names of the class body become fields after those of the
/// bases, and the class gets an __init__ that takes them. A ClassVar is not a field. `type` must be
/// a class of a file. Throws Mistake for a mutable default or a wrong order of defaults.
void make_dataclass(Class& type, bool frozen);

/// Gives a class whose fields are set an __init__ that takes them, unless it has its own. The
/// __init__ calls __post_init__ at its end. With `frozen`, attributes of the objects cannot be
/// assigned afterwards.
void make_record(Class& type, bool frozen);

/// Implements dataclasses.replace(): returns a copy of the record (the only positional argument)
/// with new values for the named fields. The copy is constructed, so __post_init__ runs again.
/// Throws Mistake for any other value and for unknown fields.
Value replace_fields(Evaluator& evaluator, const Arguments& arguments);

/// Returns the module of `import dataclasses`: dataclass, field, replace and asdict.
std::shared_ptr<Namespace> dataclasses_module();

}  // namespace knead::engine::model
