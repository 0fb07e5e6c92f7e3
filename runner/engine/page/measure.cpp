#include "runner/engine/page/measure.h"

#include <fmt/format.h>

#include "runner/engine/job/freeze.h"
#include "runner/run/summary.h"
#include "runner/track/short_text.h"

namespace knead::engine {
namespace {

using track::grouped;

std::string steps_in_words(const Job& job) {
  const std::string epoch = grouped(job.windows.steps_per_epoch()) + " an epoch";
  if (!job.steps) return epoch;
  return fmt::format("{}, {} in all; lr {:g} at first, {:g} at last", epoch, grouped(*job.steps),
                     job.rate * job.schedule.factor(0),
                     job.rate * job.schedule.factor(*job.steps - 1));
}

/// Returns the line with the range of tokens, for which the model's embedding must have room; empty
/// without a tokenizer.
std::string vocabulary_line(const Job& job) {
  if (!job.sets.tokenizer) return "";
  return summary_line("vocabulary", fmt::format("{}: tokens 0 to {}", job.sets.tokenizer->words(),
                                                grouped(job.sets.tokenizer->vocabulary() - 1)));
}

}  // namespace

std::string measure(const Job& job) {
  std::string samples = grouped(job.sets.train.size()) + " to train on";
  if (job.sets.validation) samples += ", " + grouped(job.sets.validation->size()) + " to validate";
  if (job.sets.test) samples += ", " + grouped(job.sets.test->size()) + " to test";
  std::string weights;
  if (job.weights && !job.weights->words.empty())
    weights = summary_line("weights", job.weights->words);
  return weights + summary_line("parameters", trained_in_words(*job.model)) +
         summary_line("samples", samples) + vocabulary_line(job) +
         summary_line("steps", steps_in_words(job));
}

}  // namespace knead::engine
