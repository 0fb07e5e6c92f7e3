#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "runner/engine/model/explain/run_error.h"
#include "schema/document/error.h"

namespace knead::engine::model {

/// There is too little memory for what a run computes (exit code 5).
struct OutOfMemory : Error {
  explicit OutOfMemory(const std::string& message);
};

/// Throws knead::Error (training_failed) where LibTorch, or C++, says this because of the machine
/// and not of the model: OutOfMemory, on the CPU or on a GPU, with the line of the model where that
/// is known, and how much it was for; or of a GPU that answers nothing more in this process.
void throw_if_machine_failed(std::string_view text, const Sources& sources);

/// Does some work. What of the machine fails in it is said in the same words, wherever it was.
void with_machine_failures_told(const std::function<void()>& work);

}  // namespace knead::engine::model
