#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

namespace knead::engine::model {

/// A backup of the state that forward may change besides gradients: buffers, counters, lists.
/// restore() puts back the same tensor and container objects with their former contents, so other
/// references to them stay valid. Model::backup() makes one. It holds copies of the tensors on
/// their devices, for example while an update may still be put back or a model is evaluated.
class Backup {
 public:
  using Object = c10::intrusive_ptr<c10::ivalue::Object>;

  /// `parameters` are excluded from the copy, because forward does not change them.
  explicit Backup(std::vector<at::Tensor> parameters) : seen_(std::move(parameters)) {}

  /// Adds an attribute of a module, with all containers and tensors in it. A tensor or container
  /// that several attributes share is copied once.
  void add(const Object& object, std::size_t slot);

  /// Adds a tensor that no attribute needs to be put back for.
  void add(const at::Tensor& tensor) { add_tensor(tensor); }

  /// Adds a function that puts back other state.
  void add(std::function<void()> restore) { others_.push_back(std::move(restore)); }

  /// Puts everything back, in place and without a gradient history; may be called several times.
  void restore() const;

 private:
  /// An attribute and the value object that it held, which a method may have replaced by another
  /// one.
  struct Slot {
    Object object;
    std::size_t slot;
    c10::IValue value;
  };
  /// A container and its items.
  struct Container {
    c10::IValue value;               // a list or a dict
    std::vector<c10::IValue> items;  // for a dict: key, value, key, …
  };
  /// A tensor and a copy of its elements.
  struct Numbers {
    at::Tensor tensor;
    at::Tensor copy;
  };

  void add_value(const c10::IValue& value);
  void add_tensor(const at::Tensor& tensor);

  std::vector<at::Tensor> seen_;  // parameters and copied tensors
  std::vector<Slot> slots_;
  std::vector<Container> containers_;
  std::vector<Numbers> tensors_;
  std::vector<std::function<void()>> others_;
};

}  // namespace knead::engine::model
