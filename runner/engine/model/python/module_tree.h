#pragma once

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Throws Mistake if a module contains itself, if modules nest more than 200 deep, or if shared
/// modules have more than 100,000 names. All later walks over the modules rely on it.
void expect_tree(const std::shared_ptr<Object>& root);

}  // namespace knead::engine::model
