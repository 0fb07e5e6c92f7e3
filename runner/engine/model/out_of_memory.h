#pragma once

#include <string>
#include <string_view>

#include "runner/engine/model/run_error.h"
#include "schema/error.h"

namespace knead::engine::model {

/// There is too little memory for what a run computes (exit code 5).
struct OutOfMemory : Error {
  explicit OutOfMemory(const std::string& message);
};

/// Throws OutOfMemory where this is what LibTorch says when it gets no memory, on the CPU or on a
/// GPU: with the line of the model where that is known, and how much it was for.
void throw_if_out_of_memory(std::string_view text, const Sources& sources);

}  // namespace knead::engine::model
