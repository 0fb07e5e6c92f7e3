#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "runner/sweep/identity.h"
#include "runner/sweep/search/tpe.h"
#include "runner/sweep/swept_keys.h"
#include "runner/sweep/trials/trial.h"
#include "schema/variations.h"

namespace knead::sweep {

/// A point of the search and its trials, one for each seed.
struct Proposal {
  Point point;
  std::vector<TrialName> trials;
};

/// Proposes the points of a sweep. What it proposes is a function of the recipe and of the results
/// that it is given alone, so that a sweep that is begun again proposes the same. Points whose
/// trials were proposed before are left out.
class Proposals {
 public:
  /// Checks more of a trial's recipe than the schema knows. Throws schema::InvalidRecipe or another
  /// exception for a mistake.
  using Check = std::function<void(const schema::Understood&)>;

  /// `recipe` must outlive this. `check_model` is called for each `model` block that differs from
  /// those before, by one thread at a time; it may be null.
  Proposals(const schema::Variations& recipe, Check check_model);

  /// Returns whether a proposal needs the results of earlier ones.
  bool needs_results() const;

  /// Returns all points of a search that needs no results. Checks the recipe of every trial, on
  /// `threads` threads. Throws schema::InvalidRecipe with the problems of all.
  std::vector<Proposal> all(int threads);

  /// Returns the next point of a search that needs results: those of the points before, without the
  /// last of them as sweep.concurrent says. std::nullopt if there is no other point. Throws
  /// schema::InvalidRecipe.
  std::optional<Proposal> next(std::span<const Observation> history);

  /// Returns how many points the search proposes at most.
  std::uint64_t most() const { return most_; }

  const std::vector<SweptValues>& keys() const { return keys_; }

  /// Returns the keys of a trial with their values: those that are swept, and its seed.
  std::vector<schema::Assignment> assignments_of(const Point& point, int repeat) const;

 private:
  Point point_at(std::uint64_t number) const;
  /// Names the trials of a point, and adds the problems of their recipes.
  Proposal checked(const Point& point, schema::Problems& problems);

  /// Calls `check_model` unless the block was checked before.
  void check_model(const schema::Understood& trial);

  const schema::Variations& recipe_;
  Check check_model_;
  std::mutex mutex_;
  std::set<std::string> checked_models_;  // under mutex_
  std::vector<SweptValues> keys_;
  Space space_;
  std::vector<Point> listed_;
  Identity identity_;
  std::set<std::string> known_;  // ids of all that was proposed
  std::uint64_t attempts_ = 0;   // of a search that needs results
  std::uint64_t most_ = 0;
};

}  // namespace knead::sweep
