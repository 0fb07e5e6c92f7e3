#include "runner/engine/page/measure.h"

#include <fmt/format.h>

#include "runner/engine/job/freeze.h"
#include "runner/run/summary.h"
#include "runner/track/short_text.h"

namespace knead::engine {
namespace {

using track::grouped;

std::string steps_in_words(const Course& course) {
  const std::string epoch = grouped(course.windows.steps_per_epoch()) + " an epoch";
  // Without a number of steps the last learning rate is unknown: a clock ends the run.
  if (!course.steps) return epoch;
  return fmt::format("{}, {} in all; lr {:g} at first, {:g} at last", epoch, grouped(*course.steps),
                     course.rate_at(1), course.rate_at(*course.steps));
}

/// Returns the line with the range of tokens, for which the model's embedding must have room; empty
/// without a tokenizer.
std::string vocabulary_line(const data::Sets& sets) {
  if (!sets.tokenizer) return "";
  return run::summary_line("vocabulary", fmt::format("{}: tokens 0 to {}", sets.tokenizer->words(),
                                                     grouped(sets.tokenizer->vocabulary() - 1)));
}

}  // namespace

std::string measure(const Job& job) {
  std::string samples = grouped(job.sets.train.size()) + " to train on";
  if (job.sets.validation) samples += ", " + grouped(job.sets.validation->size()) + " to validate";
  if (job.sets.test) samples += ", " + grouped(job.sets.test->size()) + " to test";
  std::string weights;
  if (job.origin.weights && !job.origin.weights->words.empty())
    weights = run::summary_line("weights", job.origin.weights->words);
  return weights + run::summary_line("parameters", trained_in_words(*job.trained.model)) +
         run::summary_line("samples", samples) + vocabulary_line(job.sets) +
         run::summary_line("steps", steps_in_words(job.course));
}

}  // namespace knead::engine
