#include "runner/engine/optimize/offload.h"

namespace knead::engine::optimize {
namespace {

/// Calls `act` for each tensor of a call that may lie in a depot.
template <class Act>
void for_each_kept(const Lists& lists, Act act) {
  for (const at::Tensor& parameter : lists.parameters) act(parameter);
  for (const Tensors& slot : lists.state) {
    for (const at::Tensor& tensor : slot) act(tensor);
  }
}

}  // namespace

Offload::Offload(const OffloadPlace& place, std::uint64_t state_bytes)
    : depot_(place.folder), copies_(place.copies) {
  depot_.expect_room(state_bytes);
}

void Offload::bring(Lists& lists, const Tensors& parameters) const {
  if (!copies_) return;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    lists.parameters[i] = parameters[i].to(at::kCPU, /*non_blocking=*/false, /*copy=*/true);
    lists.gradients[i] = lists.gradients[i].to(at::kCPU, /*non_blocking=*/false, /*copy=*/true);
  }
}

void Offload::take_back(Lists& lists, const Tensors& parameters) const {
  if (copies_) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i].copy_(lists.parameters[i]);
      lists.parameters[i] = parameters[i];
    }
  }
  for_each_kept(lists, [this](const at::Tensor& tensor) { depot_.put_away(tensor); });
}

void Offload::read_ahead(const Lists& lists) const {
  for_each_kept(lists, [this](const at::Tensor& tensor) { depot_.read_ahead(tensor); });
}

}  // namespace knead::engine::optimize
