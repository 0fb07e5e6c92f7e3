#include "runner/engine/rehearse/rehearse.h"

#include <algorithm>
#include <cmath>

#include <c10/core/GradMode.h>

#include "runner/engine/batch/model_output.h"
#include "runner/engine/device/autocast.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/job/freeze.h"
#include "runner/engine/job/threads.h"
#include "runner/engine/model/operators/operator_work.h"
#include "runner/engine/optimize/clip.h"
#include "runner/engine/step/non_finite.h"
#include "runner/engine/step/pass.h"
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

/// Records the calls of each module until it is closed: only the first micro-batch counts.
class Notes final : public model::Watcher {
 public:
  Notes(std::size_t modules, const WorkCount& work) : uses_(modules), work_(work) {}

  void entered(std::size_t) override { begun_.push_back(work_.total()); }

  void left(std::size_t module, const c10::IValue& result) override {
    const double begun = begun_.back();
    begun_.pop_back();
    if (!open_) return;
    note(module, result, work_.total() - begun);
  }

  void note(std::size_t module, const c10::IValue& result, double work) {
    ModuleUse& use = uses_[module];
    ++use.calls;
    use.output = output_words(result);
    use.work += work;
  }

  void open() { open_ = true; }
  void close() { open_ = false; }
  std::vector<ModuleUse> take() { return std::move(uses_); }

 private:
  std::vector<ModuleUse> uses_;
  const WorkCount& work_;
  std::vector<double> begun_;
  bool open_ = false;
};

constexpr std::uint64_t kMostAhead = 64;  // steps

/// Returns how many steps may be read ahead: none that a run would not read.

std::uint64_t steps_ahead(const Job& job) {
  return job.course.steps ? std::min<std::uint64_t>(*job.course.steps, kMostAhead) : kMostAhead;
}

/// Runs the parts of a rehearsal, which are declared in the order of their use.
class Stage {
 public:
  Stage(Job& job, TensorMemory& memory)
      : job_(job),
        memory_(memory),
        before_(memory.now()),
        notes_(job.trained.model->modules().size(), work_),
        feed_(job.sets.train, job.fields, job.course.windows, job.sets.order, 0, steps_ahead(job),
              job.reading()),
        pass_(job.trained, job.recipe.precision) {
    result_.memory.data = memory_.now() - before_;
    result_.memory.parameters = count_bytes(job.trained.model->parameters());
    result_.memory.buffers = bytes_of(job.trained.model->buffers());
    job.trained.model->watch(notes_);
    choose_threads(job);
    notes_.open();
  }

  Rehearsal run() {
    train();
    step();
    if (job_.sets.validation) evaluate(*job_.sets.validation);
    MemoryUse& memory = result_.memory;
    memory.copy = memory.parameters + memory.buffers / 2 + memory.optimizer;
    result_.modules = notes_.take();
    return std::move(result_);
  }

 private:
  void train();
  losses::Part loss_of(MicroBatch& part, bool is_first);
  void pass(MicroBatch part, bool is_first);
  void step();
  void evaluate(const data::Set& set);

  Job& job_;
  TensorMemory& memory_;
  std::int64_t before_;
  WorkCount work_;
  Notes notes_;
  Feed feed_;
  Pass pass_;
  std::vector<at::Tensor> buffers_before_;  // held to count the memory of a run's backup
  std::optional<GeneratorState> generator_before_;
  data::Batch batch_;
  Rehearsal result_;
  double weight_ = 0;
  double scale_ = 1;  // of the loss sums in backward
};

void Stage::train() {
  job_.trained.model->train(true);
  for (const model::Buffer& buffer : job_.trained.model->buffers())
    buffers_before_.push_back(buffer.tensor.clone());
  generator_before_.emplace();
  result_.memory.buffers *= 2;
  batch_ = feed_.next();
  const std::uint64_t size = batch_.window.size;
  const auto micro = static_cast<std::uint64_t>(job_.recipe.batch.micro.value());
  for (std::uint64_t begin = 0; begin < std::min(size, 2 * micro); begin += micro)
    pass(feed_.part(begin, std::min(micro, size - begin)), begin == 0);
  if (weight_ != 0) result_.untouched = untouched_in_words(*job_.trained.model);
  result_.memory.gradients = count_bytes(gradients_of(job_.trained.model->parameters()));
}

losses::Part Stage::loss_of(MicroBatch& part, bool is_first) {
  const Autocast precision(job_.recipe.precision);
  const double work_before = work_.total();
  const c10::IValue returned = job_.trained.model->forward(std::move(part.inputs));
  if (is_first) notes_.note(0, returned, work_.total() - work_before);
  notes_.close();
  return job_.trained.loss_of(returned, part.samples);
}

void Stage::pass(MicroBatch part, bool is_first) {
  const std::int64_t before = memory_.now();
  const double work_before = work_.total();
  const auto [sum, weight] = loss_of(part, is_first);
  weight_ += weight;
  if (is_first) {
    result_.samples = static_cast<std::uint64_t>(part.samples.count);
    result_.loss = sum.item<double>() / weight;
    result_.forward_work = work_.total() - work_before;
    result_.memory.activations = memory_.now() - before;
  }
  if (is_first) {
    const auto count = static_cast<std::uint64_t>(part.samples.count);
    scale_ = plan::sum_scale(weight, count, batch_.window.size) *
             plan::first_loss_scale(job_.recipe.precision).value;
  }
  pass_.backward(sum, scale_);
  if (is_first) result_.backward_work = work_.total() - work_before - result_.forward_work;
}

void Stage::step() {
  for (const auto& [name, times] : work_.unknown()) result_.unknown_work.push_back(name);
  optimize::Clip clip(job_.recipe.clip);
  const double scale = weight_ == 0 ? 0 : 1 / (weight_ * scale_);
  const optimize::Measured gradients = clip.measure(job_.trained.model->parameters(), scale);
  result_.gradient_norm = gradients.norm;
  const recipe::NonFinite& rule = job_.recipe.non_finite;
  const recipe::Precision& precision = job_.recipe.precision;
  const bool is_absorbed =
      !gradients.finite && plan::absorbs_overflow(precision, plan::first_loss_scale(precision));
  if (!gradients.finite && !is_absorbed && rule.action == recipe::NonFinite::Action::stop)
    throw not_finite(
        {Progress(), result_.loss, gradients.norm, batch_.samples, job_.sets.train.rows()});
  const std::int64_t in_passes = memory_.peak();
  memory_.forget_peak();
  if (gradients.finite && weight_ != 0)
    job_.trained.optimizer->step(job_.course.schedule.factor(0), gradients.factor);
  result_.memory.optimizer = count_bytes(job_.trained.optimizer->state());
  // The first step allocates the optimizer's state after its passes; in later steps it is there
  // during the passes too.
  result_.memory.training = std::max(in_passes + result_.memory.optimizer, memory_.peak());
  pass_.clear_gradients();
}

void Stage::evaluate(const data::Set& set) {
  const c10::NoGradGuard no_gradients;
  job_.trained.model->train(false);
  const BorrowedGenerator generator(0);
  const plan::Windows windows(
      set.size(), static_cast<std::uint64_t>(job_.recipe.evaluate.batch.value()), false);
  memory_.forget_peak();
  Feed feed(set, job_.fields, windows, plan::EpochOrder(set.size(), 0, false), 0,
            std::min<std::uint64_t>(windows.steps_per_epoch(), kMostAhead), job_.reading());
  MicroBatch part = feed.part(0, feed.next().window.size);
  const Autocast precision(job_.recipe.precision);
  const c10::IValue returned = job_.trained.model->forward(std::move(part.inputs));
  const losses::Part loss = job_.trained.loss_of(returned, part.samples);
  result_.evaluation.emplace_back("loss", loss.sum.item<double>() / loss.weight);
  for (const auto& metric : job_.trained.metrics) {
    metrics::State state;
    metric->merge(state, metric->of(returned, part.samples));
    result_.evaluation.emplace_back(metric->name(), metric->value(state));
  }
  result_.memory.evaluation = memory_.peak();
}

}  // namespace

Rehearsal rehearse(Job& job, TensorMemory& memory) { return Stage(job, memory).run(); }

}  // namespace knead::engine
