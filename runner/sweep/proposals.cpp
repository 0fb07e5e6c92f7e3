#include "runner/sweep/proposals.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "runner/sweep/search/grid.h"
#include "runner/sweep/search/random.h"
#include "runner/sweep/search/sobol.h"
#include "schema/document/scalar.h"
#include "schema/document/yaml_text.h"

namespace knead::sweep {
namespace {

using Assignment = schema::Assignment;
using Search = recipe::Sweep::Search;

/// How many points a search that draws them may draw for each that it needs, because some repeat
/// earlier ones.
constexpr std::uint64_t kMostDraws = 20;

/// Calls `check` for each index below `count`, on several threads. Throws the first exception of a
/// call once all threads have ended.
template <typename Check>
void on_threads(int threads, std::size_t count, const Check& check) {
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(threads));
  const auto share = [&](std::size_t first) {
    try {
      for (std::size_t i = first; i < count; i += failures.size()) check(i);
    } catch (...) {
      failures[first] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < failures.size(); ++i) others.emplace_back(share, i);
  share(0);
  for (std::thread& each : others) each.join();
  for (const std::exception_ptr& each : failures)
    if (each) std::rethrow_exception(each);
}

}  // namespace

Proposals::Proposals(const schema::Variations& recipe, Check check_model)
    : recipe_(recipe), check_model_(std::move(check_model)) {
  const schema::Node& block = recipe.base().tree.at("sweep");
  const recipe::Sweep& sweep = *recipe.base().recipe.sweep;
  keys_ = swept_values(sweep, block);
  space_ = space_of(keys_);
  if (sweep.search == Search::list) {
    listed_ = listed_points(sweep, keys_);
    most_ = listed_.size();
  } else if (sweep.search == Search::grid) {
    most_ = grid_size(space_).value();
  } else {
    most_ = static_cast<std::uint64_t>(sweep.trials.value());
  }
}

bool Proposals::needs_results() const { return recipe_.base().recipe.sweep->search == Search::tpe; }

std::vector<Assignment> Proposals::assignments_of(const Point& point, int repeat) const {
  std::vector<Assignment> assignments = assignments_at(keys_, point);
  // The first trial of a point has the recipe's own seed, or the one that is swept.
  if (repeat > 0)
    assignments.push_back({"seed", schema::integer_node(recipe_.base().recipe.seed + repeat,
                                                        recipe_.base().tree.at("sweep").place)});
  return assignments;
}

Point Proposals::point_at(std::uint64_t number) const {
  const auto seed = static_cast<std::uint64_t>(recipe_.base().recipe.seed);
  switch (recipe_.base().recipe.sweep->search) {
    case Search::grid: return grid_point(space_, number);
    case Search::list: return listed_[number];
    case Search::sobol: return sobol_point(space_, seed, number);
    default: return random_point(space_, seed, number);
  }
}

void Proposals::check_model(const schema::Understood& trial) {
  const std::scoped_lock lock(mutex_);
  const bool is_new = checked_models_.insert(schema::flow_as_yaml(trial.tree.at("model"))).second;
  if (is_new && check_model_) check_model_(trial);
}

Proposal Proposals::checked(const Point& point, schema::Problems& problems) {
  Proposal proposal{point, {}};
  const auto repeats = static_cast<int>(recipe_.base().recipe.sweep->seeds);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto assignments = assignments_of(point, repeat);
    TrialName name{.repeat = repeat};
    try {
      const schema::Understood trial = recipe_.with(assignments);
      check_model(trial);
      name.id = identity_.id_of(trial.tree, assignments);
    } catch (const schema::InvalidRecipe& invalid) {
      problems.insert(problems.end(), invalid.problems().begin(), invalid.problems().end());
      return proposal;
    }
    for (std::size_t i = 0; i < keys_.size(); ++i)
      name.values.emplace_back(keys_[i].key, schema::flow_as_yaml(assignments[i].value));
    proposal.trials.push_back(std::move(name));
  }
  return proposal;
}

std::vector<Proposal> Proposals::all(int threads) {
  const Search search = recipe_.base().recipe.sweep->search;
  const bool is_drawn = search == Search::random || search == Search::sobol;
  const std::uint64_t most_draws = is_drawn ? most_ * kMostDraws : most_;
  std::vector<Proposal> proposals;
  schema::Problems problems;
  for (std::uint64_t begin = 0; begin < most_draws && proposals.size() < most_;) {
    std::vector<Proposal> part(std::min(most_ - proposals.size(), most_draws - begin));
    std::vector<schema::Problems> found(part.size());
    on_threads(threads, part.size(),
               [&](std::size_t i) { part[i] = checked(point_at(begin + i), found[i]); });
    for (const schema::Problems& each : found)
      problems.insert(problems.end(), each.begin(), each.end());
    if (!problems.empty()) break;
    for (Proposal& each : part) {
      if (!known_.insert(each.trials[0].id).second) continue;
      for (TrialName& trial : each.trials) trial.point = proposals.size();
      proposals.push_back(std::move(each));
    }
    begin += part.size();
  }
  schema::tidy(problems);
  if (!problems.empty()) throw schema::InvalidRecipe(std::move(problems));
  return proposals;
}

std::optional<Proposal> Proposals::next(std::span<const Observation> history) {
  const auto seed = static_cast<std::uint64_t>(recipe_.base().recipe.seed);
  while (known_.size() < most_ && attempts_ < most_ * kMostDraws) {
    schema::Problems problems;
    Proposal proposal = checked(tpe_point(space_, seed, attempts_++, history), problems);
    if (!problems.empty()) throw schema::InvalidRecipe(std::move(problems));
    if (!known_.insert(proposal.trials[0].id).second) continue;
    for (TrialName& trial : proposal.trials) trial.point = known_.size() - 1;
    return proposal;
  }
  return std::nullopt;
}

}  // namespace knead::sweep
