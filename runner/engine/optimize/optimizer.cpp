#include "runner/engine/optimize/optimizer.h"

#include <algorithm>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include "runner/engine/optimize/saved_state.h"

namespace knead::engine::optimize {
namespace {

std::uint64_t bytes_of(const NamedTensors& state) {
  std::uint64_t bytes = 0;
  for (const auto& [name, tensor] : state)
    bytes += static_cast<std::uint64_t>(tensor.numel() * tensor.element_size());
  return bytes;
}

}  // namespace

Optimizer::Optimizer(const NamedTensors& parameters, std::vector<Group> groups,
                     std::vector<std::size_t> group_of)
    : parameters_(parameters),
      groups_(std::move(groups)),
      group_of_(std::move(group_of)),
      states_(parameters.size()),
      is_started_(parameters.size()),
      call_of_(parameters.size()) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    refuse_gaps(parameters_[i]);
    if (parameters_[i].tensor.requires_grad()) groups_[group_of_[i]].rule->check(parameters_[i]);
  }
}

void Optimizer::offload(const OffloadPlace& place) { offload_.emplace(place, state_bytes()); }

void Optimizer::step(double factor, double scale) { update(factor, scale, nullptr); }

void Optimizer::step(double factor, const Unread& unread) { update(factor, 1, &unread); }

bool Optimizer::accepts_found_inf() const {
  if (offload_ && offload_->copies()) return false;  // the device cannot decide for the host
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const bool takes_part = parameters_[i].tensor.grad().defined();
    if (takes_part && !(is_started_[i] && groups_[group_of_[i]].rule->accepts_found_inf()))
      return false;
  }
  return true;
}

void Optimizer::update(double factor, double scale, const Unread* unread) {
  const at::NoGradGuard no_grad;
  // The lists of an earlier update are reused, because building them can take longer than a small
  // update; only the gradients are new each time.
  if (participants_.changed(parameters_)) list_participants();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (participants_.has(i))
      calls_[call_of_[i]].lists.gradients.push_back(ordered_gradient(parameters_[i]));
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    Lists& lists = calls_[i].lists;
    lists.scale.use_device_scale(unread);
    run(calls_[i], calls_[(i + 1) % calls_.size()], factor, scale);
    lists.scale.use_device_scale(nullptr);
    lists.gradients.clear();
    if (lists.is_first) participants_.forget();  // the next update is not the first: lists change
  }
}

void Optimizer::run(Call& call, const Call& next, double factor, double scale) {
  const Group& group = groups_[group_of_[call.first]];
  if (!offload_) return group.rule->update(call.lists, group.lr * factor, scale);
  const Tensors parameters = call.lists.parameters;
  offload_->read_ahead(next.lists);
  offload_->bring(call.lists, parameters);
  group.rule->update(call.lists, group.lr * factor, scale);
  offload_->take_back(call.lists, parameters);
}

void Optimizer::list_participants() {
  calls_.clear();
  std::vector<std::size_t> new_ones;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!participants_.has(i)) continue;
    if (!is_started_[i]) {
      states_[i] = groups_[group_of_[i]].rule->start(parameters_[i].tensor);
      for (auto& [slot, tensor] : states_[i]) tensor = keep(tensor);
      new_ones.push_back(i);
    }
    Call& call = call_for(i);
    call.lists.parameters.push_back(parameters_[i].tensor);
    for (std::size_t slot = 0; slot < states_[i].size(); ++slot)
      call.lists.state[slot].push_back(states_[i][slot].tensor);
    call.state_bytes += bytes_of(states_[i]);
  }
  // Marked only now, because call_for() gives new parameters calls of their own.
  for (const std::size_t i : new_ones) is_started_[i] = true;
}

// Parameters without an earlier update get a call of their own: some rules begin differently.
Optimizer::Call& Optimizer::call_for(std::size_t parameter) {
  const auto known = std::find_if(calls_.begin(), calls_.end(), [&](const Call& call) {
    return call.lists.is_first != is_started_[parameter] && go_together(call.first, parameter) &&
           has_room(call, parameter);
  });
  call_of_[parameter] = known - calls_.begin();
  if (known != calls_.end()) return *known;
  Lists lists;
  lists.is_first = !is_started_[parameter];
  lists.state.resize(states_[parameter].size());
  return calls_.emplace_back(Call{parameter, std::move(lists)});
}

bool Optimizer::has_room(const Call& call, std::size_t parameter) const {
  return !offload_ || call.state_bytes + bytes_of(states_[parameter]) <= Offload::kCall;
}

bool Optimizer::go_together(std::size_t a, std::size_t b) const {
  const at::Tensor &first = parameters_[a].tensor, &other = parameters_[b].tensor;
  return group_of_[a] == group_of_[b] && first.scalar_type() == other.scalar_type() &&
         first.device() == other.device() &&
         std::equal(states_[a].begin(), states_[a].end(), states_[b].begin(), states_[b].end(),
                    [](const auto& x, const auto& y) { return x.name == y.name; });
}

NamedTensors Optimizer::state() const {
  NamedTensors out;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    for (const auto& [slot, tensor] : states_[i])
      out.push_back({parameters_[i].name + "/" + slot, tensor});
  }
  return out;
}

std::pmr::memory_resource* Optimizer::memory_for_copies() const {
  return (offload_ ? offload_->depot() : Depot(std::nullopt)).memory_for_copies();
}

at::Tensor Optimizer::keep(const at::Tensor& state) const {
  return offload_ ? offload_->depot().keep(state) : state;
}

std::uint64_t Optimizer::state_bytes() const {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    // A rule looks at the shape and the dtype only. Tensors on "meta" have no memory.
    const at::Tensor& parameter = parameters_[i].tensor;
    const at::Tensor shape = at::empty(parameter.sizes(), parameter.options().device(at::kMeta));
    bytes += bytes_of(groups_[group_of_[i]].rule->start(shape));
  }
  return bytes;
}

void Optimizer::restore(const NamedTensors& saved) {
  // Takes all tensors before it changes anything: a refused state leaves the optimizer as it was.
  SavedState state(saved);
  std::vector<NamedTensors> restored(parameters_.size());
  std::vector<bool> is_started(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& [name, parameter] = parameters_[i];
    if (!state.holds(name)) continue;
    is_started[i] = true;
    restored[i] = groups_[group_of_[i]].rule->start(parameter);
    for (auto& [slot, tensor] : restored[i]) tensor = keep(state.take(name + "/" + slot, tensor));
  }
  state.expect_all_taken();
  states_ = std::move(restored);
  is_started_ = std::move(is_started);
  participants_.forget();
}

std::vector<GroupSize> Optimizer::sizes() const {
  std::vector<GroupSize> sizes;
  for (const Group& group : groups_) sizes.push_back({group.words});
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].tensor.requires_grad()) continue;
    ++sizes[group_of_[i]].parameters;
    sizes[group_of_[i]].numbers += parameters_[i].tensor.numel();
  }
  return sizes;
}

}  // namespace knead::engine::optimize
