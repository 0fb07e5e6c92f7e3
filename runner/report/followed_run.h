#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/checkpoint/inspect.h"
#include "runner/files/safetensors.h"
#include "runner/plan/decide.h"
#include "runner/report/contained_files.h"
#include "runner/report/curves.h"
#include "runner/report/generated_texts.h"
#include "runner/report/predictions.h"
#include "runner/report/run_log.h"
#include "runner/report/stored_recipe.h"
#include "runner/run/end_state.h"
#include "runner/run/overview.h"

namespace knead::report {

/// Holds the content of the small files of a run.
struct RunFacts {
  std::string name;  // of the folder, as readable_text()
  run::RunState state = run::RunState::empty;
  /// The process that holds the lock or died with it; empty in other states.
  std::string holder;
  /// The last step that was reported or saved.
  std::uint64_t step = 0;
  /// Of a run that finished, or said why it failed.
  std::optional<run::EndState> end;
  StoredRecipe recipe;
  plan::Objective monitor{""};
  std::optional<plan::Value> best;
  /// Damaged ones too. Only manifests were read.
  std::vector<checkpoint::Listed> checkpoints;
  /// Library, kernels, threads and device of the newest checkpoint: "libtorch 2.11.0".
  std::vector<std::string> environment;
  /// These have changed at some resume.
  bool is_mixed_environment = false;
  /// The tensors of the newest checkpoint with model.safetensors, in the order of the file.
  std::vector<files::SafetensorsPlace> tensors;
  /// A sentence for each part that could not be read.
  std::vector<std::string> notes;
};

/// Follows the folder of a run: all that pages show of it, in bounded memory whatever the folder
/// holds, without a look outside of it (contained_files.h). The run may be alive. A part that
/// cannot be read is a note, and the others are there. Not thread-safe.
class FollowedRun {
 public:
  /// `columns` is how fine curves are: see ThinnedSeries. Reads nothing yet. Throws
  /// files::FileError if there is no such folder.
  explicit FollowedRun(std::filesystem::path folder, std::size_t columns = 512);

  /// Reads what is new, or all in the first call. Returns whether a journal or the log has new
  /// lines, or the state of the run is another one.
  bool read_on();

  const std::filesystem::path& folder() const { return files_->root(); }
  const RunFacts& facts() const { return facts_; }
  const Curves& curves() const { return curves_; }
  const plan::Evaluations& evaluations() const { return evaluations_.evaluations(); }
  const GeneratedTextJournal& generated() const { return generated_; }
  const PredictionFiles& predictions() const { return predictions_; }
  const RunLog& log() const { return log_; }

 private:
  /// Returns the text of a small file; empty if there is none.
  std::string text_of(const char* name);
  void read_facts();
  void read_recipe();
  void read_checkpoints();
  void read_tensors();
  /// Calls a function, and makes a note of the error that it throws.
  template <class Read>
  void attempt(Read read);

  std::unique_ptr<ContainedFiles> files_;
  Curves curves_;
  EvaluationJournal evaluations_;
  GeneratedTextJournal generated_;
  PredictionFiles predictions_;
  RunLog log_;
  RunFacts facts_;
};

/// Reads the folder of a run once. Throws as the constructor of FollowedRun does.
FollowedRun read_run(const std::filesystem::path& folder, std::size_t columns = 512);

}  // namespace knead::report
