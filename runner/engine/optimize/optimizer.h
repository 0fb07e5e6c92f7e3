#pragma once

#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "runner/engine/optimize/groups.h"
#include "runner/engine/optimize/offload.h"
#include "runner/engine/optimize/rule.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// Describes the parameters that one rule updates with one learning rate. The last group of an
/// optimizer holds the parameters that no item of optimizer.groups fits.
struct Group {
  /// Describes the conditions, "match '*.bias'"; empty for parameters of no item of
  /// optimizer.groups.
  std::string words;
  /// Learning rate before the factor of the schedule.
  double lr = 0;
  /// Updates the parameters; never null.
  std::unique_ptr<Rule> rule;
};

/// Counts the trained parameters of a group and the numbers in them; frozen ones are left out.
struct GroupSize {
  std::string words;
  std::size_t parameters = 0;
  std::int64_t numbers = 0;
};

/// Updates parameters by their gradients. One thread at a time.
///
/// step() makes one update: it joins parameters of one group, dtype and device to lists, and passes
/// each list to the rule of the group in one call, so that a fused kernel handles all of them.
/// State begins with a parameter's first gradient. state() and restore() carry it into another run.
/// The gradients stay: the caller clears them.
class Optimizer {
 public:
  /// Takes `parameters`, each once, to update them in place. `group_of`: the index in `groups` for
  /// each parameter. Throws knead::Error for a parameter that is a view with gaps, which kernels
  /// would overwrite, or that its rule cannot update. Allocates no state yet.
  Optimizer(const NamedTensors& parameters, std::vector<Group> groups,
            std::vector<std::size_t> group_of);

  /// Keeps the state elsewhere from now on, which changes no number. Call it before the first
  /// update and before restore(). Throws knead::Error as Offload().
  void offload(const OffloadPlace& place);

  /// Updates every parameter that has a gradient, with `factor` times the learning rate of its
  /// group; other parameters and their state stay unchanged. Gradients count `scale` times and may
  /// be overwritten unless that is 1. The caller has made sure that they are finite. Counts the
  /// update for bias correction. Throws knead::Error for a sparse gradient.
  void step(double factor, double scale);

  /// Updates as the other step() does, with a scale that the device knows; the device also decides
  /// whether the update is made. accepts_found_inf() must be true.
  void step(double factor, const Unread& unread);

  /// Returns whether the device can decide on the next update: each parameter that has a gradient
  /// was updated before, and its rule's kernel accepts that decision. Looks at the gradients that
  /// are there now.
  bool accepts_found_inf() const;

  /// Returns the live state, in the order of the parameters, under torch's names:
  /// "<parameter>/exp_avg", "<parameter>/step" …. A parameter that has had no gradient has no
  /// state. The tensors share their memory with the optimizer; the next step() changes them.
  NamedTensors state() const;

  /// Returns the memory for copies of state() that live longer than a step: heap, unless the state
  /// is kept on a disk.
  std::pmr::memory_resource* memory_for_copies() const;

  /// Returns a tensor of a state that is to be restored, moved to where the state is kept, so that
  /// not all of it is in memory at a time.
  at::Tensor keep(const at::Tensor& state) const;

  /// Returns the bytes of the state once each parameter has had a gradient.
  std::uint64_t state_bytes() const;

  /// Copies what state() returned in another run, so that the next updates are those of that run.
  /// If a tensor is missing, unknown, or of another shape or type, throws knead::Error that names
  /// it (exit code of a refused resume), and changes nothing.
  void restore(const NamedTensors& saved);

  /// Returns the sizes of the items of optimizer.groups in their order, then that of the rest;
  /// without groups, one size.
  std::vector<GroupSize> sizes() const;

 private:
  /// Holds the parameters that one call of a rule updates.
  struct Call {
    /// Index of its first parameter, which stands for the others in comparisons.
    std::size_t first;
    Lists lists;
    std::uint64_t state_bytes = 0;
  };

  /// Makes an update. `unread`: null if the host knows the scale.
  void update(double factor, double scale, const Unread* unread);
  /// Builds calls_ anew from the parameters that have gradients, and starts their state.
  void list_participants();
  /// Runs the rule of a call. `next`: the call after it.
  void run(Call& call, const Call& next, double factor, double scale);
  /// Returns the call for a parameter, a new one if none fits.
  Call& call_for(std::size_t parameter);
  /// Returns whether a call may take the state of one more parameter.
  bool has_room(const Call& call, std::size_t parameter) const;
  /// Returns whether one call can update both parameters.
  bool go_together(std::size_t a, std::size_t b) const;

  NamedTensors parameters_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;  // by parameter
  std::vector<NamedTensors> states_;   // by parameter; empty until its first gradient
  std::vector<bool> is_started_;       // by parameter: whether it has had a gradient
  std::optional<Offload> offload_;     // of the state; without it, it lies beside the parameters
  std::vector<Call> calls_;
  std::vector<std::size_t> call_of_;  // by parameter, if it has a gradient
  Participants participants_;         // the parameters in the lists of calls_
};

}  // namespace knead::engine::optimize
