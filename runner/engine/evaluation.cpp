#include "runner/engine/evaluation.h"

#include <chrono>

#include <c10/core/GradMode.h>

#include "runner/engine/autocast.h"
#include "runner/engine/generators.h"
#include "runner/plan/random.h"

namespace knead::engine {
namespace {

/// Evaluation mode while it lives.
class Evaluating {
 public:
  explicit Evaluating(model::Model& model) : model_(model) { model_.train(false); }
  ~Evaluating() { model_.train(true); }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

 private:
  model::Model& model_;
  c10::NoGradGuard no_gradients_;
};

}  // namespace

std::optional<plan::Evaluation> SetEvaluation::run(model::Model& model, std::uint64_t step,
                                                   const Stop& stop) const {
  const auto begin = std::chrono::steady_clock::now();
  const Evaluating mode(model);
  const BorrowedGenerator generator(plan::random_bits(seed, plan::Purpose::evaluation, 0, step));
  const plan::Windows windows(set.size(), batch, false);
  Feed feed(set, fields, windows, plan::EpochOrder(set.size(), seed, false), 0,
            windows.steps_per_epoch(), reading);
  const model::Attributes attributes = model.attributes();
  std::vector<metrics::State> states(measures.size());
  double sum = 0;
  double weight = 0;
  for (std::uint64_t i = 0; i < windows.steps_per_epoch(); ++i) {
    if (stop.is_asked()) {
      model.set_attributes(attributes);  // it is done again from the start
      return std::nullopt;
    }
    MicroBatch part = feed.part(0, feed.next().window.size);
    const Autocast in(precision);
    const c10::IValue returned = model.forward(std::move(part.inputs));
    const Output seen(returned, output, model.returns_at());
    const losses::Part here = seen.at_return([&] { return loss.of(seen, part.samples); });
    weight += here.weight;
    sum += here.sum.item<double>();
    for (std::size_t m = 0; m < measures.size(); ++m)
      measures[m]->merge(states[m],
                         seen.at_return([&] { return measures[m]->of(returned, part.samples); }));
  }
  plan::Evaluation evaluation{step, name, {{"loss", sum / weight}}, 0};
  for (std::size_t m = 0; m < measures.size(); ++m)
    evaluation.values.emplace_back(measures[m]->name(), measures[m]->value(states[m]));
  evaluation.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return evaluation;
}

}  // namespace knead::engine
