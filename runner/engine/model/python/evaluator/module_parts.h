#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Returns `_modules`, `_parameters` or `_buffers` of a module: a view like a dict, whose changes
/// are changes of the module; std::nullopt for any other name.
std::optional<Value> parts_of(const std::shared_ptr<Object>& module, const std::string& name);

}  // namespace knead::engine::model
