#include <map>

#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/values/stack.h"

namespace knead::engine::model {

namespace {

/// Copies values and keeps identity: two references to one value become references to one copy, so
/// tied weights stay tied.
class Copier {
 public:
  explicit Copier(Evaluator& evaluator) : evaluator_(evaluator) {}

  Value copy(const Value& value) {
    // A copy takes memory, so it counts like any item that is made.
    expect_stack();
    evaluator_.spend_item(value);
    if (const auto* tensor = std::get_if<at::Tensor>(&value)) return copy(*tensor);
    if (const auto* array = as<Array>(value)) return copy(*array);
    if (const auto* list = as<List>(value)) return copy_items(*list);
    if (const auto* tuple = as<Tuple>(value)) return copy_items(*tuple);
    if (const auto* set = as<Set>(value)) return copy_items(*set);
    if (const auto* dict = as<Dict>(value)) return copy(*dict);
    if (const auto* object = as<Object>(value)) {
      // A member of an Enum is compared by identity, so it is not copied.
      return is_enum(*(*object)->type) ? value : copy(*object);
    }
    if (const auto* method = as<BoundMethod>(value)) {
      return std::make_shared<BoundMethod>(BoundMethod{copy((*method)->self), (*method)->function});
    }
    if (as<Iterator>(value)) {
      throw Mistake(fmt::format("cannot pickle '{}' object", type_name(value)));
    }
    return value;
  }

 private:
  Value copy(const std::shared_ptr<Array>& from) {
    auto& made = shared_[from.get()];
    if (made != nullptr) return std::static_pointer_cast<Array>(made);
    auto fresh = std::make_shared<Array>(Array{.numbers = from->numbers.clone()});
    made = fresh;
    return fresh;
  }

  at::Tensor copy(const at::Tensor& tensor) {
    at::Tensor& made = tensors_[tensor.unsafeGetTensorImpl()];
    if (made.defined()) return made;
    if (!tensor.is_leaf()) {
      throw Mistake(
          "Only Tensors created explicitly by the user (graph leaves) support the "
          "deepcopy protocol at the moment.");
    }
    const c10::NoGradGuard no_grad;
    evaluator_.spend_items(16);
    const at::Tensor fresh = tensor.detach().clone();
    count_memory(fresh);
    made = evaluator_.is_parameter(tensor)
               ? evaluator_.make_parameter(fresh, tensor.requires_grad())
               : fresh.set_requires_grad(tensor.requires_grad());
    return made;
  }

  template <typename T>
  Value copy_items(const std::shared_ptr<T>& from) {
    auto& made = shared_[from.get()];
    if (made == nullptr) {
      auto fresh = std::make_shared<T>(*from);
      // The copy is registered before its items are copied, because a list may contain itself.
      fresh->items.clear();
      made = fresh;
      for (const Value& item : from->items) fresh->items.push_back(copy(item));
      return fresh;
    }
    return std::static_pointer_cast<T>(made);
  }

  Value copy(const std::shared_ptr<Dict>& from) {
    auto& made = shared_[from.get()];
    if (made == nullptr) {
      auto fresh = std::make_shared<Dict>();
      made = fresh;
      for (const auto& [key, value] : from->items)
        fresh->items.emplace_back(copy(key), copy(value));
      return fresh;
    }
    return std::static_pointer_cast<Dict>(made);
  }

  std::vector<Slot> copy(const std::vector<Slot>& slots) {
    std::vector<Slot> made = slots;
    for (Slot& slot : made) {
      if (slot.tensor) slot.tensor = copy(*slot.tensor);
    }
    return made;
  }

  std::shared_ptr<Object> copy(const std::shared_ptr<Object>& from) {
    auto& made = shared_[from.get()];
    if (made != nullptr) return std::static_pointer_cast<Object>(made);
    auto fresh = std::make_shared<Object>(*from);
    made = fresh;
    fresh->parameters = copy(from->parameters);
    fresh->buffers = copy(from->buffers);
    for (auto& child : fresh->modules) {
      if (child.second != nullptr) child.second = copy(child.second);
    }
    for (auto& entry : fresh->attributes) entry.second = copy(entry.second);
    return fresh;
  }

  Evaluator& evaluator_;
  std::map<const void*, at::Tensor> tensors_;
  std::map<const void*, std::shared_ptr<void>> shared_;
};

}  // namespace

Value deep_copy(Evaluator& evaluator, const Value& value) { return Copier(evaluator).copy(value); }

}  // namespace knead::engine::model
