#pragma once

#include <optional>

#include <c10/core/Device.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

// The device of a model that the evaluator runs or builds.

/// Converts a device or its name; returns std::nullopt for a value of another type. Any device but
/// the CPU is the one on which the model computes, because the recipe chooses it; a model is built
/// on the CPU. Throws c10::Error for a text that names no device.
std::optional<c10::Device> to_device(const Value& value);

/// Sets the device on which the model computes while the object lives; otherwise it is the CPU. Not
/// thread-safe.
class ComputeDevice {
 public:
  explicit ComputeDevice(c10::Device device);
  ~ComputeDevice();
  ComputeDevice(const ComputeDevice&) = delete;
  ComputeDevice& operator=(const ComputeDevice&) = delete;
};

/// Return the device on which the model computes, and whether an object of ComputeDevice lives: the
/// model runs, and is not being built.
c10::Device compute_device();
bool is_model_running();

}  // namespace knead::engine::model
