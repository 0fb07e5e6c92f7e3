#include "tests/engine/second_device.h"

#include <atomic>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/resize_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/alloc_cpu.h>
#include <torch/library.h>

#include "runner/engine/device.h"

namespace knead::engine {
namespace {

constexpr at::DeviceType kSecond = at::DeviceType::PrivateUse1;
const at::Device kOnly(kSecond, 0);
std::atomic<std::int64_t> reads = 0;

/// One device, one stream, and nothing that is not done at once.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  at::DeviceType type() const override { return kSecond; }
  at::Device exchangeDevice(at::Device) const override { return kOnly; }
  at::Device getDevice() const override { return kOnly; }
  void setDevice(at::Device) const override {}
  void uncheckedSetDevice(at::Device) const noexcept override {}
  c10::Stream getStream(at::Device) const override {
    return c10::Stream(c10::Stream::DEFAULT, kOnly);
  }
  c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
  void synchronizeDevice(c10::DeviceIndex) const override {}
};

struct Memory final : c10::Allocator {
  c10::DataPtr allocate(std::size_t size) override {
    void* data = c10::alloc_cpu(size);
    return {data, data, &c10::free_cpu, kOnly};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &c10::free_cpu; }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    default_copy_data(to, from, size);
  }
};

/// Its operators draw from the CPU's generator, as they are the CPU's; its own is kept all the
/// same.
struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override { return 1; }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override {
    static const at::Generator own = at::make_generator<at::CPUGeneratorImpl>();
    return own;
  }
};

/// The CPU's operators warn of outputs that the fallback hands them in another shape.
struct Quiet final : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

Memory* memory() {
  static Memory memory;
  return &memory;
}

const c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

at::Tensor empty(c10::IntArrayRef size, std::optional<at::ScalarType> type,
                 std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>,
                 std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(size, memory(), kKeys, c10::dtype_or_default(type), format);
}

at::Tensor empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride,
                         std::optional<at::ScalarType> type, std::optional<at::Layout>,
                         std::optional<at::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(size, stride, memory(), kKeys,
                                           c10::dtype_or_default(type));
}

/// The same bytes as a tensor of the CPU.
at::Tensor as_host(const at::Tensor& tensor) {
  return at::from_blob(tensor.mutable_data_ptr(), tensor.sizes(), tensor.strides(),
                       at::TensorOptions(tensor.scalar_type()));
}

at::Tensor copy_from(const at::Tensor& from, const at::Tensor& to, bool) {
  if (to.is_cpu()) ++reads;
  as_host(to).copy_(as_host(from));
  return to;
}

at::Tensor copy_from_and_resize(const at::Tensor& from, const at::Tensor& to) {
  if (to.sizes() != from.sizes()) to.resize_(from.sizes());
  return copy_from(from, to, false);
}

at::Scalar read_number(const at::Tensor& tensor) {
  ++reads;
  return as_host(tensor).item();
}

at::Tensor& set_storage(at::Tensor& self, at::Storage storage, std::int64_t offset,
                        c10::IntArrayRef size, c10::IntArrayRef stride) {
  return at::native::set_storage_cpu_(self, std::move(storage), offset, size, stride);
}

/// What it says of its arguments does not tell that running statistics change, so that a copy of
/// them would.
std::tuple<at::Tensor, at::Tensor, at::Tensor> batch_norm(
    const at::Tensor& input, const std::optional<at::Tensor>& weight,
    const std::optional<at::Tensor>& bias, const std::optional<at::Tensor>& mean,
    const std::optional<at::Tensor>& variance, bool training, double momentum, double eps) {
  const auto host = [](const std::optional<at::Tensor>& tensor) {
    return tensor && tensor->defined() ? std::optional(as_host(*tensor)) : std::nullopt;
  };
  const auto [output, batch_mean, inverse] =
      at::native_batch_norm(as_host(input), host(weight), host(bias), host(mean), host(variance),
                            training, momentum, eps);
  return {output.to(kOnly), batch_mean.to(kOnly), inverse.to(kOnly)};
}

bool can_change_places(const at::Tensor&, const at::Tensor&) { return true; }

/// As the CPU does it. What goes there and back meanwhile is not read by anyone.
void on_cpu(const c10::OperatorHandle& operation, torch::jit::Stack* stack) {
  const std::int64_t before = reads;
  at::native::cpu_fallback(operation, stack);
  reads = before;
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&on_cpu>());
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("empty.memory_format", &empty);
  library.impl("empty_strided", &empty_strided);
  library.impl("_copy_from", &copy_from);
  library.impl("_copy_from_and_resize", &copy_from_and_resize);
  library.impl("_local_scalar_dense", &read_number);
  library.impl("native_batch_norm", &batch_norm);
  library.impl("as_strided", &at::native::as_strided_tensorimpl);
  library.impl("view", &at::native::view);
  library.impl("_reshape_alias", &at::native::_reshape_alias);
  library.impl("resize_", &at::native::resize_);
  library.impl("set_.source_Storage_storage_offset", &set_storage);
  library.impl("_has_compatible_shallow_copy_type", &can_change_places);
}

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard)

}  // namespace

void compute_on_second_device() {
  static const bool registered = [] {
    static Hooks hooks;
    static Quiet quiet;
    c10::WarningUtils::set_warning_handler(&quiet);
    c10::register_privateuse1_backend("second");
    c10::SetAllocator(kSecond, memory());
    at::RegisterPrivateUse1HooksInterface(&hooks);
    return true;
  }();
  static_cast<void>(registered);
  compute_on(kOnly);
}

std::int64_t times_read() { return reads; }

}  // namespace knead::engine
