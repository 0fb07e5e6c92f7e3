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

/// Where the files of a run that only grow end: file name → bytes. Part of a checkpoint.
using Positions = std::map<std::string, std::uint64_t>;

/// Where a file ends that was open when a checkpoint was made; 0 where it was not.
std::uint64_t end_of(const std::string& file, const Positions& positions);

/// One more place for the numbers of a run. What goes wrong there is warned about once; the run
/// goes on. A spool calls it on a thread of its own.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Whether it holds nothing of this run yet.
  virtual bool is_new() const = 0;

  virtual void report(const Report& report) = 0;
  virtual void evaluated(const plan::Evaluation& evaluation) = 0;

  /// Adds where its files end, those that a resume must cut back.
  virtual void add_positions(Positions& positions) const = 0;
};

/// What sinks say about a run besides its numbers.
struct About {
  std::filesystem::path folder;        // of the run
  std::uint64_t step = 0;              // that this start begins behind
  std::string recipe;                  // as YAML
  std::vector<std::string> evaluated;  // SET/METRIC, in the order of the recipe
  std::vector<std::pair<std::string, std::variant<bool, double, std::string>>> hyperparameters;
};

/// SET/METRIC of all that a recipe evaluates, as far as it has the sets.
std::vector<std::string> evaluated_metrics(const recipe::Recipe& recipe);

/// The values that people compare runs by: the keys of model.args, optimizer and their like.
std::vector<std::pair<std::string, std::variant<bool, double, std::string>>> hyperparameters(
    const schema::Node& recipe);

/// Makes the sink that a recipe asks for, behind a spool, and cuts its files back to `positions`.
/// Throws knead::Error if they cannot be opened.
std::unique_ptr<Sink> make_sink(const recipe::Sink& kind, const About& about,
                                const Positions& positions, const Warn& warn);

}  // namespace knead::track
