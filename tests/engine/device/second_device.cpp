#include "tests/engine/device/second_device.h"

#include <array>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

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

#include "runner/engine/device/device.h"
#include "tests/engine/device/device_stream.h"
#include "tests/engine/device/late_stream.h"

namespace knead::engine {
namespace {

constexpr at::DeviceType kSecond = at::DeviceType::PrivateUse1;
const at::Device kOnly(kSecond, 0);
std::atomic<std::int64_t> reads = 0;
std::atomic<std::int64_t> operations = 0;  // asked for so far

// Three streams. On that of the work everything is done at once, but for what is read from it
// without waiting: that arrives when somebody waits for an event behind it. On that of copies,
// nothing is done before somebody waits, or the work does and goes on. The third is for a library
// of collectives, and really runs beside the host.
constexpr c10::StreamId kWork = 0, kCopies = 1, kCollectives = 2;

struct LateCopy {
  at::Tensor from, to;  // of host memory
};

struct Stream {
  std::vector<LateCopy> copies;
  std::size_t done = 0;  // of them

  void catch_up(std::size_t until) {
    for (; done < until; ++done) {
      copies[done].to.copy_(copies[done].from);
      copies[done] = {};
    }
  }
};

std::array<Stream, 2> streams;
LateStream& collectives = *new LateStream;  // its thread may still run when the process ends
std::int64_t before_collectives = 0;        // operations that the stream of collectives waits for
std::size_t copies_before_work = 0;         // are to be done before it goes on
c10::StreamId current = kWork;

/// Queues work of a library on the stream of collectives.
bool queue_collective(void (*work)(void*), void* argument) {
  if (before_collectives < operations) return false;
  collectives.queue([=] { work(argument); });
  return true;
}

/// Behind what a stream was asked for at a moment.
struct Marker {
  c10::StreamId stream;
  std::size_t copies;       // or collectives
  std::int64_t operations;  // of the device, at that moment
};

/// One device.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  at::DeviceType type() const override { return kSecond; }
  at::Device exchangeDevice(at::Device) const override { return kOnly; }
  at::Device getDevice() const override { return kOnly; }
  void setDevice(at::Device) const override {}
  void uncheckedSetDevice(at::Device) const noexcept override {}
  c10::Stream getStream(at::Device) const override { return stream(current); }
  c10::Stream getStreamFromGlobalPool(at::Device, bool) const override { return stream(kCopies); }
  c10::Stream getNewStream(at::Device, int) const override { return stream(kCollectives); }
  void* getStreamNativeHandle(const c10::Stream on) const override {
    static DeviceStream handle{.queue = queue_collective};
    return on.id() == kCollectives ? &handle : nullptr;
  }
  c10::Stream exchangeStream(c10::Stream next) const override {
    return stream(std::exchange(current, next.id()));
  }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
  void synchronizeDevice(c10::DeviceIndex) const override {
    for (Stream& each : streams) each.catch_up(each.copies.size());
  }

  void record(void** event, const c10::Stream& on, const c10::DeviceIndex,
              const c10::EventFlag) const override {
    if (!*event) *event = new Marker;
    const std::size_t asked =
        on.id() == kCollectives ? collectives.queued() : streams[on.id()].copies.size();
    *static_cast<Marker*>(*event) = {on.id(), asked, operations};
  }
  void block(void* event, const c10::Stream& waits) const override {
    const auto* marker = static_cast<const Marker*>(event);
    if (waits.id() == kWork && marker->stream == kCopies) copies_before_work = marker->copies;
    if (waits.id() == kCollectives) before_collectives = marker->operations;
  }
  bool queryEvent(void* event) const override {
    const auto* marker = static_cast<const Marker*>(event);
    return marker->stream == kCollectives ? collectives.is_done(marker->copies)
                                          : streams[marker->stream].done >= marker->copies;
  }
  void synchronizeEvent(void* event) const override {
    if (static_cast<Marker*>(event)->operations == operations) ++reads;
    catch_up(event);
  }
  void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override {
    delete static_cast<Marker*>(event);
  }

 private:
  static c10::Stream stream(c10::StreamId id) {
    return c10::Stream(c10::Stream::UNSAFE, kOnly, id);
  }
  static void catch_up(const void* event) {
    const auto* marker = static_cast<const Marker*>(event);
    if (marker->stream == kCollectives) return collectives.wait(marker->copies);
    streams[marker->stream].catch_up(marker->copies);
  }
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

/// The device goes on with its work.
void work() {
  ++operations;
  streams[kCopies].catch_up(std::max(copies_before_work, streams[kCopies].done));
}

at::Tensor copy_from(const at::Tensor& from, const at::Tensor& to, bool without_waiting) {
  if (current == kWork) work();
  const bool is_read = to.is_cpu();
  if (without_waiting && current == kCopies) {
    streams[kCopies].copies.push_back({as_host(from), as_host(to)});
  } else if (without_waiting && is_read) {
    streams[kWork].copies.push_back({as_host(from).clone(), as_host(to)});
    as_host(to).fill_(std::nan(""));  // whoever looks too early sees this
  } else {
    if (is_read) ++reads;
    as_host(to).copy_(as_host(from));
  }
  return to;
}

at::Tensor copy_from_and_resize(const at::Tensor& from, const at::Tensor& to) {
  if (to.sizes() != from.sizes()) to.resize_(from.sizes());
  return copy_from(from, to, false);
}

at::Scalar read_number(const at::Tensor& tensor) {
  work();
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
  work();
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
