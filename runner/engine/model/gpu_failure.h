#pragma once

#include <string_view>

namespace knead::engine::model {

/// Throws knead::Error (training_failed) where this is what LibTorch says of a GPU that has given
/// up: it answers nothing more in this process, and what it was at may be long before.
void throw_if_gpu_failed(std::string_view text);

}  // namespace knead::engine::model
