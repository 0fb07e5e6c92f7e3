#include "runner/engine/rehearse/rehearse.h"

#include <algorithm>

#include "runner/engine/device/device.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/job/threads.h"
#include "runner/engine/model/operators/operator_work.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/step/pass_work.h"
#include "runner/engine/step/update.h"
#include "runner/engine/tensor/tensor_words.h"
#include "runner/plan/loss_scale.h"

namespace knead::engine {
namespace {

std::int64_t bytes_of(const std::vector<model::Buffer>& buffers) {
  std::int64_t sum = 0;
  for (const model::Buffer& each : buffers) sum += static_cast<std::int64_t>(each.tensor.nbytes());
  return sum;
}

/// Returns the shape of a module's output: "(32, 10)", or "(32, 10) and 2 more" for a collection.
std::string output_words(const c10::IValue& value) {
  if (value.isTensor()) return shape_words(value.toTensor().sizes());
  std::vector<c10::IValue> items;
  if (value.isTuple()) {
    items = value.toTupleRef().elements().vec();
  } else if (value.isList()) {
    items = value.toListRef().vec();
  } else if (value.isGenericDict()) {
    for (const auto& item : value.toGenericDict()) items.push_back(item.value());
  }
  const auto first = std::find_if(items.begin(), items.end(),
                                  [](const c10::IValue& item) { return item.isTensor(); });
  if (first == items.end()) return value.isNone() ? "" : value.tagKind();
  return output_words(*first) +
         (items.size() > 1 ? " and " + std::to_string(items.size() - 1) + " more" : "");
}

/// Records the calls of each module between open() and close().
class ModuleCalls final : public model::Watcher {
 public:
  ModuleCalls(std::size_t modules, const WorkCount& work) : uses_(modules), work_(work) {}

  void entered(std::size_t) override { begun_.push_back(work_.total()); }

  void left(std::size_t module, const c10::IValue& result) override {
    const double begun = begun_.back();
    begun_.pop_back();
    // Closed during backward, whose checkpointed segments run forward once more.
    if (!is_open_) return;
    ModuleUse& use = uses_[module];
    ++use.calls;
    use.output = output_words(result);
    use.work += work_.total() - begun;
  }

  void open() { is_open_ = true; }
  void close() { is_open_ = false; }
  std::vector<ModuleUse> take() { return std::move(uses_); }

 private:
  std::vector<ModuleUse> uses_;
  const WorkCount& work_;
  std::vector<double> begun_;  // the work before each call that has not returned
  bool is_open_ = false;
};

/// Makes the first update of a run and measures it between its parts.
class FirstStep final : public UpdateWatcher {
 public:
  FirstStep(Job& job, TensorMemory& memory)
      : job_(job),
        model_(*job.trained.model),
        memory_(memory),
        bytes_before_(memory.now()),
        calls_(model_.modules().size(), work_),
        updates_(job, progress_,
                 {.end = job.course.end(),
                  .warn = [this](const std::string& text) { result_.untouched = text; },
                  .watcher = this,
                  .most_micro_batches = 2}) {
    MemoryUse& use = result_.memory;
    use.data = memory.now() - bytes_before_;
    use.parameters = count_bytes(model_.parameters());
    use.buffers = 2 * bytes_of(model_.buffers());
    // choose_threads() may run forward, and a model is watched before its first forward. That
    // forward is not counted, because the calls are closed until then.
    model_.watch(calls_);
    choose_threads(job);
    calls_.open();
  }

  Rehearsal run() {
    model_.train(true);
    updates_.make(job_.course.schedule.factor(0));
    MemoryUse& use = result_.memory;
    // That of a GPU's state lies in the memory of the host.
    if (device().is_cpu()) use.copy = use.parameters + use.buffers / 2 + use.optimizer;
    result_.modules = calls_.take();
    return std::move(result_);
  }

  void done(UpdatePart part, const PendingUpdate& update) override {
    passes_.done(part, update);
    switch (part) {
      case UpdatePart::before: return measure_before();
      case UpdatePart::forward: return measure_forward(update);
      case UpdatePart::backward: return measure_backward();
      case UpdatePart::reduce: return measure_passes(update);
      case UpdatePart::apply: return measure_step();
    }
  }

 private:
  void measure_before();
  void measure_forward(const PendingUpdate& update);
  void measure_backward();
  void measure_passes(const PendingUpdate& update);
  void measure_step();

  Job& job_;
  model::Model& model_;
  TensorMemory& memory_;
  std::int64_t bytes_before_;
  std::int64_t bytes_in_passes_ = 0;
  WorkCount work_;
  PassWork passes_{work_, static_cast<std::uint64_t>(job_.recipe.batch.micro.value())};
  ModuleCalls calls_;
  Rehearsal result_;
  run::Progress progress_{.loss_scale = plan::first_loss_scale(job_.recipe.precision)};
  Updates updates_;
};

void FirstStep::measure_before() { bytes_before_ = memory_.now(); }

void FirstStep::measure_forward(const PendingUpdate& update) {
  if (update.losses.size() > 1) return;  // only the first micro-batch is shown
  calls_.close();
  result_.samples = passes_.samples();
  if (update.weight != 0) result_.loss = update.losses[0].item<double>() / update.weight;
  result_.forward_work = passes_.forward();
  result_.memory.activations = memory_.now() - bytes_before_;
}

void FirstStep::measure_backward() {
  result_.backward_work = passes_.backward();
  result_.unknown_work.clear();
  for (const auto& [name, times] : work_.unknown()) result_.unknown_work.push_back(name);
  result_.memory.gradients = count_bytes(gradients_of(model_.parameters()));
}

void FirstStep::measure_passes(const PendingUpdate& update) {
  result_.gradient_norm = update.norm;
  bytes_in_passes_ = memory_.peak();
  memory_.forget_peak();
}

void FirstStep::measure_step() {
  MemoryUse& use = result_.memory;
  use.optimizer = count_bytes(job_.trained.optimizer->state());
  // The first step allocates the optimizer's state after its passes; in later steps it is there
  // during the passes too.
  use.training = std::max(bytes_in_passes_ + use.optimizer, memory_.peak());
}

}  // namespace

Rehearsal rehearse(Job& job, TensorMemory& memory) {
  job.trained.average.reset();  // averages are copies that the memory of a plan does not include
  FirstStep step(job, memory);
  Rehearsal result = step.run();
  if (!job.sets.validation) return result;
  // Counted beside the state that the evaluation borrows, so that its memory is an upper bound.
  const GeneratorState generator;
  memory.forget_peak();
  result.evaluation = evaluation_of(job, "validation", *job.sets.validation)
                          .values_of_first_batch(*job.trained.model);
  result.memory.evaluation = memory.peak();
  return result;
}

}  // namespace knead::engine
