#pragma once

#include "runner/front/check/model_files.h"
#include "schema/validate/validate.h"

namespace knead::front {

/// Compares the fields of data.train with the parameters of forward by the rules of model.inputs
/// (runner/engine/batch/model_inputs.h). Adds a problem for a name that forward does not have and
/// for the first required parameter without a field. Adds none if the fields or the parameters are
/// known only at run time, or where a rule of the recipe reports the mistake.
void check_inputs(const schema::Checked& recipe, const ModelFiles& files, const FoundClass& built,
                  schema::Problems& problems);

}  // namespace knead::front
