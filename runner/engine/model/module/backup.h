#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

namespace knead::engine::model {

/// Remembers what forward may change besides gradients: buffers, counters, lists. restore() puts
/// the very tensors and containers back that were there, with the numbers and items that they had,
/// so that everything else that refers to one of them still does. Model::backup() makes one.
class Backup {
 public:
  using Object = c10::intrusive_ptr<c10::ivalue::Object>;

  /// `parameters`: forward does not change them, so that no copy of them is kept.
  explicit Backup(std::vector<at::Tensor> parameters) : seen_(std::move(parameters)) {}

  /// Remembers an attribute of a module, and all containers and tensors in it.
  void add(const Object& object, std::size_t slot);

  void restore() const;

 private:
  struct Slot {
    Object object;
    std::size_t slot;
    c10::IValue value;
  };
  struct Container {
    c10::IValue value;               // a list or a dict
    std::vector<c10::IValue> items;  // of a dict: key, value, key, …
  };
  struct Numbers {
    at::Tensor tensor;
    at::Tensor copy;
  };

  void add_value(const c10::IValue& value);
  void add_tensor(const at::Tensor& tensor);

  std::vector<at::Tensor> seen_;  // parameters, and every tensor that has a copy
  std::vector<Slot> slots_;
  std::vector<Container> containers_;
  std::vector<Numbers> tensors_;
};

}  // namespace knead::engine::model
