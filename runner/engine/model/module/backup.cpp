#include "runner/engine/model/module/backup.h"

#include <algorithm>

#include <ATen/core/List.h>
#include <ATen/core/grad_mode.h>

namespace knead::engine::model {
namespace {

/// Returns the items of a list, or the keys and values of a dict in turn.
std::vector<c10::IValue> items_of(const c10::IValue& container) {
  std::vector<c10::IValue> items;
  if (container.isGenericDict()) {
    for (const auto& entry : container.toGenericDict()) {
      items.push_back(entry.key());
      items.push_back(entry.value());
    }
  } else {
    for (const c10::IValue& item : container.toListRef()) items.push_back(item);
  }
  return items;
}

/// Replaces the items of a container; the inverse of items_of().
void refill(const c10::IValue& container, const std::vector<c10::IValue>& items) {
  if (container.isGenericDict()) {
    auto dict = container.toGenericDict();
    dict.clear();
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) dict.insert(items[i], items[i + 1]);
  } else {
    auto list = container.toList();
    list.clear();
    for (const c10::IValue& item : items) list.push_back(item);
  }
}

}  // namespace

void Backup::add(const Object& object, std::size_t slot) {
  slots_.push_back({object, slot, object->getSlot(slot)});
  add_value(slots_.back().value);
}

void Backup::add_value(const c10::IValue& value) {
  if (value.isTensor()) return add_tensor(value.toTensor());
  if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) add_value(item);
  } else if (value.isList() || value.isGenericDict()) {
    const bool is_known =
        std::any_of(containers_.begin(), containers_.end(),
                    [&](const Container& known) { return known.value.is(value); });
    if (is_known) return;
    const std::vector<c10::IValue> items = items_of(value);
    containers_.push_back({value, items});
    for (const c10::IValue& item : items) add_value(item);
  }
}

void Backup::add_tensor(const at::Tensor& tensor) {
  const auto is_it = [&](const at::Tensor& other) { return other.is_same(tensor); };
  if (!tensor.defined() || std::any_of(seen_.begin(), seen_.end(), is_it)) return;
  seen_.push_back(tensor);
  tensors_.push_back({tensor, tensor.detach().clone()});
}

// Slots are restored first, because a method may have replaced the list or tensor whose content is
// restored after that.
void Backup::restore() const {
  const at::NoGradGuard no_gradients;
  for (const Slot& each : slots_) each.object->setSlot(each.slot, each.value);
  for (const Container& each : containers_) refill(each.value, each.items);
  for (const Numbers& each : tensors_) each.tensor.copy_(each.copy);
  for (const auto& restore : others_) restore();
}

}  // namespace knead::engine::model
