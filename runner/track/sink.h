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
#include "runner/track/generated_text.h"
#include "runner/track/histogram.h"
#include "runner/track/journal.h"
#include "runner/track/predictions.h"
#include "runner/track/report.h"

namespace knead::track {

/// Maps the names of a run's append-only files, relative to its folder, to their lengths in bytes.
/// Part of a checkpoint: a resume cuts each file back to its length, so that no line is doubled.
using Positions = std::map<std::string, std::uint64_t>;

/// Returns the length of a file at the time of a checkpoint; 0 if the checkpoint does not have it,
/// which means that the file begins anew.
std::uint64_t end_of(const std::string& file, const Positions& positions);

/// Says how a start of a run ended.
enum class RunEnd {
  finished,  // also if an expectation is not met
  failed,
  stopped  // by a signal or a time limit: it can be resumed
};

/// Receives the numbers of a run, besides journals and console: each report and each evaluation
/// once, in the order of steps. A failure of the disk is warned about once and does not end the
/// run; functions do not throw for it. Numbers arrive on one thread, which is a spool's.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Returns whether the sink has no numbers of this run yet. whoever makes it then passes all
  /// numbers of the journals on to it.
  virtual bool is_new() const = 0;

  /// Receives a report of training.
  virtual void report(const Report& report) = 0;

  /// Receives the values of an evaluation.
  virtual void evaluated(const plan::Evaluation& evaluation) = 0;

  /// Receives a text that the model wrote, after the values of its evaluation. A sink for numbers
  /// alone leaves it out.
  virtual void generated(const GeneratedText&) {}

  /// Receives what an evaluation found besides its numbers, and how the numbers of the model were
  /// spread at it. No journal has them: a sink that is made anew gets those that follow.
  virtual void predicted(const Predictions&) {}
  virtual void spread(const Histograms&) {}

  /// Receives how this start of the run ended, after all numbers. A process that is killed tells
  /// nobody.
  virtual void ended(RunEnd end) = 0;

  /// Adds the lengths of the files that a resume must cut back. Adds nothing for a file that is to
  /// be written anew, or that cannot be cut.
  virtual void add_positions(Positions& positions) const = 0;
};

/// The name and the value of a key by which runs are compared: {"optimizer.lr", 0.001}.
using Hyperparameter = std::pair<std::string, std::variant<bool, double, std::string>>;

/// Describes a run to its sinks.
struct About {
  /// The folder of the run, which exists. Its name is that of the run.
  std::filesystem::path folder;
  /// The last step of earlier starts; 0 for a new run.
  std::uint64_t step = 0;
  /// The recipe as understood, as YAML.
  std::string recipe;
  /// Names of the values of evaluations, SET/METRIC, as evaluated_metrics() returns them.
  std::vector<std::string> evaluated;
  /// Key paths and values, as hyperparameters() returns them.
  std::vector<Hyperparameter> hyperparameters;

  /// Returns the name of the run, by which people know it.
  std::string name() const { return folder.filename().string(); }

  /// Returns the name of the sweep that the run is a trial of; empty for another run.
  std::string sweep() const;
};

/// Returns SET/METRIC for the loss and each metric of the validation and test sets of a recipe, in
/// the order of the recipe: "validation/loss", "validation/accuracy". Empty without such a set.
std::vector<std::string> evaluated_metrics(const recipe::Recipe& recipe);

/// Returns the keys and values by which runs are compared, those of model.args, optimizer, batch
/// and similar blocks, without secrets and source code: {"optimizer.lr", 0.001}. Integers become
/// doubles. `recipe` is the tree of a resolved recipe.
std::vector<Hyperparameter> hyperparameters(const schema::Node& recipe);

/// Returns whether a sink sends to a server. The room track/network makes such a sink, the room
/// track/sinks any other.
bool needs_network(const recipe::Sink& kind);

}  // namespace knead::track
