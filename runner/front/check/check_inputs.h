#pragma once

#include "runner/front/check/model_files.h"
#include "schema/validate/validate.h"

namespace knead::front {

/// Holds the fields of data.train against the parameters of forward, by the rules of model.inputs
/// (runner/engine/batch/model_inputs.h): names that forward does not have, and parameters that no
/// field is given to. Silent where the fields or the parameters are known only at a run. Adds what
/// is wrong.
void check_inputs(const schema::Checked& recipe, const ModelFiles& files, const FoundClass& built,
                  schema::Problems& problems);

}  // namespace knead::front
