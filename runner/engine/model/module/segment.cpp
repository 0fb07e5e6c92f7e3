#include "runner/engine/model/module/segment.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include "runner/engine/device/borrowed_autocast.h"
#include "runner/engine/device/generators.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

using c10::IValue;
using torch::autograd::SavedVariableHooks;

/// A copy of the slots of a module. A tensor in several slots is one tensor in the copy. Trainable
/// weights are shared and not copied, because their gradients must reach the originals.
class ModuleState {
 public:
  explicit ModuleState(const std::vector<ModuleSlot>& slots) {
    const c10::NoGradGuard no_gradients;
    IValue::HashIdentityIValueMap copies;
    for (const ModuleSlot& slot : slots) {
      const IValue value = slot.object->getSlot(slot.slot);
      value.visit([&](const IValue& part) { return keep_trained(part, copies); });
      kept_.push_back({slot, value.deepcopy(copies)});
    }
  }

  /// Drops the copies of tensors that the call did not change, which saves memory: most buffers
  /// never change.
  void keep_what_changed() {
    std::erase_if(kept_, [](const Kept& kept) {
      const IValue now = kept.at.object->getSlot(kept.at.slot);
      if (!now.isTensor() || !kept.value.isTensor()) return false;
      const at::Tensor& before = kept.value.toTensor();
      return before.scalar_type() == now.toTensor().scalar_type() &&
             before.sizes() == now.toTensor().sizes() && at::equal(before, now.toTensor());
    });
  }

  /// Exchanges the contents of the slots and the copies.
  void swap() {
    for (Kept& kept : kept_) {
      IValue now = kept.at.object->getSlot(kept.at.slot);
      kept.at.object->setSlot(kept.at.slot, std::exchange(kept.value, std::move(now)));
    }
  }

 private:
  /// Registers trainable weights as their own copies. Returns true if `part` needs no further
  /// search.
  static bool keep_trained(const IValue& part, IValue::HashIdentityIValueMap& copies) {
    if (!part.isTensor()) return false;
    const at::Tensor& tensor = part.toTensor();
    if (tensor.defined() && tensor.is_leaf() && tensor.requires_grad()) copies.emplace(part, part);
    return true;
  }

  struct Kept {
    ModuleSlot at;
    IValue value;
  };
  std::vector<Kept> kept_;
};

/// The arguments for a second call: lists are copied; tensors share storage but not the autograd
/// history.
class Arguments {
 public:
  explicit Arguments(const std::vector<IValue>& values) {
    const c10::NoGradGuard no_gradients;
    IValue::HashIdentityIValueMap copies;
    for (const IValue& value : values) {
      value.visit([&](const IValue& part) { return replace(part, copies); });
      values_.push_back(value.deepcopy(copies));
    }
  }

  /// Returns whether no tensor was changed in place since the first call.
  bool are_unchanged() const {
    for (const auto& [tensor, version] : tensors_) {
      if (tensor._version() != version) return false;
    }
    return true;
  }

  std::vector<IValue> take() {
    tensors_.clear();
    return std::move(values_);
  }

 private:
  /// Registers the replacement of a tensor or module. Returns true if `part` needs no further
  /// search.
  bool replace(const IValue& part, IValue::HashIdentityIValueMap& copies) {
    if (part.isObject()) copies.emplace(part, part);
    if (part.isObject() || copies.count(part) > 0) return true;
    if (!part.isTensor() || !part.toTensor().defined()) return false;
    const at::Tensor& tensor = part.toTensor();
    at::Tensor alone = tensor.detach();  // shares the version counter
    if (tensor.requires_grad()) alone.set_requires_grad(true);
    tensors_.emplace_back(alone, alone._version());
    copies.emplace(part, std::move(alone));
    return true;
  }

  std::vector<IValue> values_;
  std::vector<std::pair<at::Tensor, std::uint32_t>> tensors_;
};

class Segment;

/// The segment that this thread is running, and whether it is the second run.
struct Current {
  Segment* segment = nullptr;
  bool again = false;
};
thread_local Current current;

/// Sets the current segment of this thread for its lifetime.
class Within {
 public:
  explicit Within(Current now) : before_(std::exchange(current, now)) {}
  ~Within() { current = before_; }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  Current before_;
};

/// One call, with the tensors that its second run saves for backward. A tensor is identified by its
/// number, because both runs must save tensors in the same order.
class Segment : public std::enable_shared_from_this<Segment> {
 public:
  Segment(std::shared_ptr<const RepeatedModule> module, Method method,
          const std::vector<IValue>& arguments)
      : module_(std::move(module)),
        method_(std::move(method)),
        arguments_(arguments),
        state_(module_->state) {}

  IValue run(std::vector<IValue> arguments) {
    const Within here({this, false});
    IValue result = method_(std::move(arguments));
    if (!arguments_.are_unchanged())
      throw std::runtime_error(
          fmt::format("activation_checkpointing: '{}' changes what it is given in place, and "
                      "cannot be computed "
                      "once more",
                      module_->path));
    state_.keep_what_changed();
    return result;
  }

  std::unique_ptr<SavedVariableHooks> hooks(bool again);

  std::size_t drop() { return dropped_++; }

  std::size_t keep(const at::Tensor& tensor) {
    // A detached tensor shares the version counter, which shows later changes in place.
    kept_.push_back({tensor.detach(), tensor._version()});
    return kept_.size() - 1;
  }

  at::Tensor saved(std::size_t number) {
    if (kept_.empty()) run_again();
    const Saved& saved = kept_.at(number);
    if (saved.tensor._version() != saved.version)
      throw Error(fmt::format("'{}' changes in place what its gradient needs", module_->path),
                  "leave out inplace=True, write x = x + y for x += y, and x.relu() for x.relu_()");
    return saved.tensor;
  }

  void forget(std::size_t number) {
    if (number < kept_.size()) kept_[number].tensor.reset();
  }

 private:
  struct Saved {
    at::Tensor tensor;
    std::int64_t version;
  };

  void run_again() {
    if (!arguments_.are_unchanged())
      refuse(
          "what '{}' is given is changed in place afterwards, and it cannot be computed once more");
    // Backward runs without gradients and in another autocast and random state; the second run
    // needs those of the first.
    const c10::AutoGradMode gradients(true);
    const BorrowedAutocast autocast(autocast_);
    const GeneratorState generator;
    generator_.restore();
    state_.swap();
    {
      const Within here({this, true});
      method_(arguments_.take());
    }
    state_.swap();
    generator.restore();
    // The numbers of the two runs correspond only if both save equally many tensors.
    if (kept_.size() != dropped_)
      refuse(
          "'{}' is not the same when it is computed once more: it is not a function of its input");
  }

  [[noreturn]] void refuse(fmt::format_string<const std::string&> sentence) const {
    throw Error("activation_checkpointing: " + fmt::format(sentence, module_->path),
                "leave the module out of activation_checkpointing");
  }

  std::shared_ptr<const RepeatedModule> module_;
  Method method_;
  Arguments arguments_;
  ModuleState state_;
  GeneratorState generator_;
  AutocastState autocast_;
  std::size_t dropped_ = 0;
  std::vector<Saved> kept_;  // saved by the second run
};

/// Replaces a tensor that autograd saves in the first run; the second run provides it.
class Dropped final : public SavedVariableHooks {
 public:
  explicit Dropped(std::shared_ptr<Segment> segment) : segment_(std::move(segment)) {}
  ~Dropped() override {
    // Autograd no longer needs the tensor, so its memory is freed.
    if (number_) segment_->forget(*number_);
  }
  void call_pack_hook(const at::Tensor&) override { number_ = segment_->drop(); }
  at::Tensor call_unpack_hook() override { return segment_->saved(number_.value()); }

 private:
  std::shared_ptr<Segment> segment_;
  std::optional<std::size_t> number_;
};

/// Stores a tensor that autograd saves in the second run. Backward does not use the graph of that
/// run.
class Kept final : public SavedVariableHooks {
 public:
  explicit Kept(Segment& segment) : segment_(segment) {}
  void call_pack_hook(const at::Tensor& tensor) override { number_ = segment_.keep(tensor); }
  at::Tensor call_unpack_hook() override { return segment_.saved(number_); }

 private:
  Segment& segment_;
  std::size_t number_ = 0;
};

std::unique_ptr<SavedVariableHooks> Segment::hooks(bool again) {
  if (again) return std::make_unique<Kept>(*this);
  return std::make_unique<Dropped>(shared_from_this());
}

/// Replaces the autograd engine, because autograd takes the hooks for saved tensors from its
/// engine. The engine of LibTorch returns no hooks.
class Engine final : public torch::autograd::Engine {
 public:
  static torch::autograd::Engine& get() {
    static Engine* const only = new Engine;  // never destroyed, like that of LibTorch
    return *only;
  }

  std::unique_ptr<SavedVariableHooks> get_default_saved_variable_hooks() override {
    return current.segment ? current.segment->hooks(current.again) : nullptr;
  }
};

}  // namespace

IValue run_repeatably(std::shared_ptr<const RepeatedModule> module, Method method,
                      std::vector<IValue> arguments) {
  static const bool once = (torch::autograd::set_default_engine_stub(Engine::get), true);
  static_cast<void>(once);
  const auto segment = std::make_shared<Segment>(std::move(module), std::move(method), arguments);
  return segment->run(std::move(arguments));
}

bool is_within_repeated() { return current.segment != nullptr; }

}  // namespace knead::engine::model
