#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include "schema/source.h"

namespace knead::engine {

/// The key of a dict, the index of a tuple or list: model.output.
using OutputKey = std::optional<std::variant<std::string, std::int64_t>>;

/// What the loss and the metrics see of what forward returned.
/// Throws knead::Error that says what was returned, where `key` does not lead to a tensor; at
/// `place`, the return of forward, where that is known.
at::Tensor pick_output(const c10::IValue& returned, const OutputKey& key,
                       const schema::Place& place = {});

}  // namespace knead::engine
