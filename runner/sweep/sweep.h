#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/plan/decide.h"
#include "runner/plan/resolve.h"
#include "runner/sweep/agenda.h"
#include "runner/sweep/claims.h"
#include "runner/sweep/output/outcome.h"
#include "runner/sweep/pool.h"
#include "runner/sweep/proposals.h"
#include "runner/sweep/trials/trial.h"
#include "schema/variations.h"

namespace knead::sweep {

/// A part of a sweep for a machine of its own. A point belongs to a shard by the id of its first
/// trial, so that shards need not talk, and a point stays where it is when the space grows.
struct Shard {
  std::uint64_t index = 1;  // from 1
  std::uint64_t count = 1;

  bool has(const std::string& id) const;
};

/// Describes a sweep: which recipe, where, and which part of it.
struct Order {
  const schema::Variations& variations;
  std::string file;                    // the recipe, as it was given
  std::vector<std::string> overrides;  // as they were given
  plan::Machine machine;
  Proposals::Check check_model;
  Shard shard{};
};

/// Counts the trials of a sweep, or of a shard of it.
struct Tally {
  std::size_t trials = 0;  // at most, for a search that proposes them one by one
  std::size_t finished = 0;
  std::size_t pruned = 0;
  std::size_t failed = 0;
  std::size_t running = 0;
};

/// Trains the trials of a sweep, or finds that they have been trained: what each run folder says
/// decides, so that a sweep that was killed, has grown, or is shared with other processes goes on.
/// A failed trial is tried again by the next sweep, but not by this one. Not thread-safe.
class Sweep {
 public:
  /// Checks the recipes of all trials, as far as they are known before the first one ends, and
  /// reads those that have begun. Changes nothing. Throws schema::InvalidRecipe with the problems
  /// of all trials. `order.variations` must outlive this.
  explicit Sweep(Order order);
  ~Sweep();
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// Receives what happens while trials train.
  struct Observer {
    std::function<void(const Trial&)> ended;  // has ended, was pruned or has stopped
    std::function<void()> looked;             // called several times a second
  };

  /// Trains at most `jobs` trials at once until all have ended, and keeps the files of the sweep
  /// up to date. Returns false if a signal stopped it before.
  bool train(Pool& pool, int jobs, const Observer& observer);

  /// Writes sweep.jsonl, sweep.csv, optuna.journal and best.yaml to the folder, each in one step.
  /// best.yaml is missing as long as no point has finished.
  void write_files() const;

  /// Returns what is known of the trials of this shard, and of those of other shards whose run
  /// folders are here too.
  Outcome outcome() const;

  Tally tally() const;

  /// Returns the trials that train now.
  std::vector<const Trial*> running() const;

  /// Returns <output>/<name>/sweep.
  const std::filesystem::path& folder() const { return folder_; }
  const recipe::Recipe& recipe() const { return recipe_; }
  const plan::Objective& objective() const { return objective_; }

 private:
  /// Names a trial of this shard.
  struct Place {
    std::size_t point = 0;  // in the agenda
    int repeat = 0;

    auto operator<=>(const Place&) const = default;
  };
  struct Job {
    Place place;
    std::optional<std::size_t> rung;
    std::chrono::steady_clock::time_point begin;
  };

  void add(Proposal proposal);
  void propose();
  /// Returns what is known of a point that is settled.
  Observation observe(std::size_t point) const;
  /// Returns what is known of the first points, which are settled.
  std::vector<Observation> history(std::size_t known) const;
  void fill(Pool& pool, int jobs);
  /// Starts a trial, unless another process has it or has ended it.
  void start(const Task& task, Pool& pool, int jobs);
  JobStart start_of(const Task& task, int jobs) const;
  /// Notes how a start of a trial ended. Returns false if the trial goes on, or waits at a rung.
  bool settle(const Job& job, const JobEnd& end, bool is_stopping);
  /// Reads a trial from its folder and tells the agenda what it did not know.
  void read(const Place& place);
  /// Tries the trials again that other processes had.
  void look_elsewhere();
  void tell_pruned(const Observer& observer);
  std::filesystem::path folder_of(const TrialName& name) const { return folder_ / name.id; }
  Trial& at(const Place& place);
  const Trial& at(const Place& place) const;
  TrialState state_of(const Place& place) const;
  const Point& point_of(const TrialName& name) const;

  Order order_;
  recipe::Recipe recipe_;  // resolved
  std::filesystem::path folder_;
  plan::Objective objective_;
  Proposals proposals_;
  Agenda agenda_;
  std::unique_ptr<Claims> claims_;  // while it trains

  std::vector<std::vector<Trial>> trials_;  // of each point of the agenda
  std::vector<Point> points_;               // their points
  std::vector<Proposal> others_;            // of other shards
  std::map<int, Job> jobs_;
  std::map<Place, int> innocent_ends_;
  std::set<Place> waiting_;        // at a rung, not told yet
  std::set<Place> elsewhere_;      // another process has them
  std::set<Place> failed_before_;  // when this sweep began
  std::set<Place> ended_here_;
};

}  // namespace knead::sweep
