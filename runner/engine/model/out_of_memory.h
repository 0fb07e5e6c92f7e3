#pragma once

#include <string_view>

#include "runner/engine/model/run_error.h"

namespace knead::engine::model {

/// Throws knead::Error (training_failed) where this is what LibTorch says when it gets no memory,
/// on the CPU or on a GPU: with the line of the model where that is known, and how much it was for.
void throw_if_out_of_memory(std::string_view text, const Sources& sources);

}  // namespace knead::engine::model
