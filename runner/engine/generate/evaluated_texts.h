#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "runner/engine/generate/text_generator.h"
#include "runner/engine/job/job.h"
#include "runner/run/stop.h"
#include "runner/track/generated_text.h"

namespace knead::engine {

/// Writes the texts of evaluate.generate with the model of a job, as `knead generate` does with a
/// checkpoint of it: the weights and the recipe alone decide them. The random numbers and the
/// running statistics of training stay as they are. All ranks must make the same calls. Borrows the
/// job.
class EvaluatedTexts {
 public:
  /// `job`: of a recipe with evaluate.generate. Throws knead::Error if a prompt has a character
  /// that the tokenizer does not know, or if forward needs more than tokens.
  explicit EvaluatedTexts(Job& job);

  /// Throws the errors that write() would throw for this model, so that a run finds them before its
  /// first step.
  void try_model();

  /// Returns a text for each prompt, labelled as those of step `step`; std::nullopt if a stop is
  /// requested on any rank before the last one is written.
  std::optional<track::GeneratedTexts> write(std::uint64_t step, const run::Stop& stop);

 private:
  Job& job_;
  std::shared_ptr<const data::Tokenizer> tokenizer_;
  NextScores scores_;
  TextGenerator generator_;
};

}  // namespace knead::engine
