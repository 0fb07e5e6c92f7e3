#pragma once

#include <functional>

#include "runner/front/check/layers.h"
#include "runner/front/check/model_files.h"
#include "runner/syntax/unknown_names.h"
#include "schema/document/problem.h"

namespace knead::front {

/// What a function of a model's main file reads.
struct UsesOf {
  const ModelFiles& files;
  const syntax::Reading& reading;
  std::function<schema::Severity(bool is_certain)> severity;
};

/// Names that torch.nn does not have, and objects that are made with the wrong arguments: layers,
/// and classes of the model's files.
void check_uses(const UsesOf& uses, schema::Problems& problems);

}  // namespace knead::front
