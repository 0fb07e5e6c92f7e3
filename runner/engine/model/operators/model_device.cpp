#include "runner/engine/model/operators/model_device.h"

#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

/// The device of the model that runs.
std::optional<c10::Device>& the_device() {
  static std::optional<c10::Device> device;
  return device;
}

}  // namespace

ComputeDevice::ComputeDevice(c10::Device device) { the_device() = device; }
ComputeDevice::~ComputeDevice() { the_device().reset(); }

c10::Device compute_device() { return is_model_running() ? *the_device() : c10::Device(c10::kCPU); }
bool is_model_running() { return the_device().has_value(); }

std::optional<c10::Device> to_device(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  // A wrong name throws.
  if (text && c10::Device(*text).is_cpu()) return c10::Device(c10::kCPU);
  const auto* device = std::get_if<Device>(&value);
  if (device && device->device.is_cpu()) return c10::Device(c10::kCPU);
  if (!text && !device && !is_integer(value)) return std::nullopt;
  return compute_device();
}

}  // namespace knead::engine::model
