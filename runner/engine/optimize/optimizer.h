#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runner/engine/optimize/groups.h"
#include "runner/engine/optimize/rule.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// Parameters that are updated by one rule, with one learning rate.
struct Group {
  std::string words;  // "match '*.bias'"; empty for what no item of optimizer.groups fits
  double lr = 0;      // before the schedule's factor
  std::unique_ptr<Rule> rule;
};

/// How much a group holds.
struct GroupSize {
  std::string words;
  std::size_t parameters = 0;
  std::int64_t numbers = 0;
};

/// Turns gradients into new weights. One thread at a time.
class Optimizer {
 public:
  /// `parameters` are updated in place, and must live as long; each once. `group_of`: the group of
  /// each. Throws knead::Error for one that is a view with gaps, which kernels would write across,
  /// or that its rule is not for.
  Optimizer(const NamedTensors& parameters, std::vector<Group> groups,
            std::vector<std::size_t> group_of);

  /// One update of every parameter that has a gradient, with `factor` times the learning rate of
  /// its group; the others, and their state, stay as they are. Gradients count times `scale`, and
  /// are overwritten where it is not 1. Counts the update for bias correction. Throws knead::Error
  /// for a sparse gradient.
  void step(double factor, double scale);

  /// The same, with a scale that the device knows, which also decides whether there is an update.
  /// Only where heeds_device() is true.
  void step(double factor, const Unread& unread);

  /// Whether an update with the gradients there are can be left to the device: no parameter begins
  /// with it, and all rules have kernels for that.
  bool heeds_device() const;

  /// The live tensors, in the order of the parameters: "<parameter>/exp_avg", "<parameter>/step" …,
  /// under torch's names. What has not had a gradient yet has none.
  NamedTensors state() const;

  /// Copies what state() returned in another run: the updates that follow are those of that run.
  /// Throws knead::Error, and changes nothing, naming what is missing, does not belong here or has
  /// another shape or type.
  void restore(const NamedTensors& saved);

  /// Of every group, those of optimizer.groups in their order, then what is left; without groups,
  /// one.
  std::vector<GroupSize> sizes() const;

 private:
  /// Parameters that go into one call, with what the call takes.
  struct Call {
    std::size_t first;  // the first of its parameters
    Lists lists;
  };

  void update(double factor, double scale, const Unread* unread);
  void list_participants();
  Call& call_for(std::size_t parameter);
  bool go_together(std::size_t a, std::size_t b) const;

  NamedTensors parameters_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;  // of each parameter
  std::vector<NamedTensors> states_;   // of each parameter; empty until it has had a gradient
  std::vector<bool> is_started_;       // whether it has had one
  std::vector<Call> calls_;
  std::vector<std::size_t> call_of_;  // of each parameter that takes part
  Participants participants_;         // who is in the lists of the calls
};

}  // namespace knead::engine::optimize
