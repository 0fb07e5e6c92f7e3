#include "runner/engine/measure.h"

#include <locale>

#include <fmt/format.h>

namespace knead::engine {
namespace {

/// 17226 as "17,226".
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::uint64_t parameters_of(const model::Model& model) {
  std::uint64_t count = 0;
  for (const NamedTensor& parameter : model.parameters())
    count += static_cast<std::uint64_t>(parameter.tensor.numel());
  return count;
}

std::string steps_in_words(const Job& job) {
  const std::string epoch = grouped(job.windows.steps_per_epoch()) + " an epoch";
  if (!job.steps) return epoch;
  return fmt::format("{}, {} in all; lr {:g} at first, {:g} at last", epoch, grouped(*job.steps),
                     job.rate * job.schedule.factor(0),
                     job.rate * job.schedule.factor(*job.steps - 1));
}

}  // namespace

std::string measure(const Job& job) {
  std::string samples = grouped(job.sets.train.size()) + " to train on";
  if (job.sets.validation) samples += ", " + grouped(job.sets.validation->size()) + " to validate";
  if (job.sets.test) samples += ", " + grouped(job.sets.test->size()) + " to test";
  return fmt::format("  {:<10} {} in {} tensors\n  {:<10} {}\n  {:<10} {}\n", "parameters",
                     grouped(parameters_of(*job.model)), job.model->parameters().size(), "samples",
                     samples, "steps", steps_in_words(job));
}

}  // namespace knead::engine
