#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "recipe.h"
#include "runner/plan/evaluations.h"
#include "runner/track/journal.h"
#include "runner/track/report.h"

namespace knead::track {

/// Maps the names of a run's append-only files to their lengths in bytes. Part of a checkpoint.
using Positions = std::map<std::string, std::uint64_t>;

/// Returns the length of a file at the time of a checkpoint; 0 if the checkpoint does not have it.
std::uint64_t end_of(const std::string& file, const Positions& positions);

/// Receives the numbers of a run, besides journals and console. A failure is warned about once and
/// does not end the run. Called on one thread, which is a spool's.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Returns whether the sink has no numbers of this run yet.
  virtual bool is_new() const = 0;

  /// Receives a report of training.
  virtual void report(const Report& report) = 0;

  /// Receives the values of an evaluation.
  virtual void evaluated(const plan::Evaluation& evaluation) = 0;

  /// Adds the lengths of the files that a resume must cut back.
  virtual void add_positions(Positions& positions) const = 0;
};

/// Describes a run to its sinks.
struct About {
  std::filesystem::path folder;        // of the run
  std::uint64_t step = 0;              // the last step of earlier starts
  std::string recipe;                  // as YAML
  std::vector<std::string> evaluated;  // SET/METRIC, in the order of the recipe
  /// Key paths and values of hyperparameters().
  std::vector<std::pair<std::string, std::variant<bool, double, std::string>>> hyperparameters;
};

/// Returns SET/METRIC for each metric, and the loss, of the validation and test sets of a recipe.
std::vector<std::string> evaluated_metrics(const recipe::Recipe& recipe);

/// Returns the keys and values by which runs are compared, those of model.args, optimizer, batch
/// and similar blocks, without secrets and source code.
std::vector<std::pair<std::string, std::variant<bool, double, std::string>>> hyperparameters(
    const schema::Node& recipe);

/// Makes the sink of a recipe, behind a spool, and cuts its files back to `positions`. Throws
/// knead::Error if a file cannot be opened.
std::unique_ptr<Sink> make_sink(const recipe::Sink& kind, const About& about,
                                const Positions& positions, const Warn& warn);

}  // namespace knead::track
