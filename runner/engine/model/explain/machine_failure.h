#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "runner/engine/model/explain/run_error.h"
#include "schema/document/error.h"

namespace knead::engine::model {

/// Reports too little memory for the computation of a run (exit code 5).
struct OutOfMemory : Error {
  /// `message` names the device and the size of the allocation; the remedy is fixed.
  explicit OutOfMemory(const std::string& message);
};

/// Throws if `text` of LibTorch or C++ reports a failure of the machine and not of the model:
/// OutOfMemory for the CPU or a GPU, with the model's line if it is known; knead::Error
/// (training_failed) for a GPU that failed, which this process cannot use any more. Returns
/// otherwise. `sources` may be empty if no model is involved.
void throw_if_machine_failed(std::string_view text, const Sources& sources);

/// Runs `work` and rethrows its exceptions; exceptions that report a failure of the machine become
/// those of throw_if_machine_failed(), without a line of the model. A knead::Error passes as it is.
void with_machine_failures_told(const std::function<void()>& work);

/// Makes std::terminate() end this process with the words and the exit code of a failed GPU where
/// that is its cause: once a GPU has failed, destructors of LibTorch that free pinned memory throw
/// too. For all other causes std::terminate() does what it did.
void tell_failed_gpu_on_terminate();

}  // namespace knead::engine::model
