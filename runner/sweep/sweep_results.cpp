// What a sweep knows of its trials, and the files that say so.

#include <algorithm>
#include <cmath>

#include "runner/files/file.h"
#include "runner/files/posix_files.h"
#include "runner/sweep/sweep.h"
#include "runner/sweep/sweep_files.h"
#include "runner/sweep/trials/trial_folder.h"

namespace knead::sweep {

Observation Sweep::observe(std::size_t point) const {
  Observation observation;
  observation.point = points_[point];
  double sum = 0;
  for (int repeat = 0; repeat < agenda_.repeats(); ++repeat) {
    const Trial& trial = at({point, repeat});
    sum += trial.state == TrialState::failed ? NAN : loss_of(trial, objective_.goal);
    if (trial.state != TrialState::stopped) continue;
    const auto rungs = static_cast<double>(agenda_.rungs(point, repeat));
    observation.reach = std::min(observation.reach, rungs / (rungs + 1));
  }
  const double mean = sum / static_cast<double>(agenda_.repeats());
  if (std::isfinite(mean)) observation.loss = mean;
  return observation;
}

std::vector<Observation> Sweep::history(std::size_t known) const {
  std::vector<Observation> history;
  for (std::size_t point = 0; point < known; ++point) history.push_back(observe(point));
  return history;
}

TrialState Sweep::state_of(const Place& place) const {
  const bool is_running = std::any_of(jobs_.begin(), jobs_.end(),
                                      [&](const auto& each) { return each.second.place == place; });
  if (is_running || elsewhere_.contains(place)) return TrialState::running;
  if (agenda_.is_pruned(place.point, place.repeat)) return TrialState::pruned;
  return at(place).state;
}

Tally Sweep::tally() const {
  Tally tally;
  const std::size_t seeds = static_cast<std::size_t>(agenda_.repeats());
  tally.trials = proposals_.needs_results() ? proposals_.most() * seeds : trials_.size() * seeds;
  tally.running = jobs_.size() + elsewhere_.size();
  for (std::size_t point = 0; point < trials_.size(); ++point) {
    for (int repeat = 0; repeat < agenda_.repeats(); ++repeat) {
      const Place place{point, repeat};
      const TrialState state = state_of(place);
      if (state == TrialState::finished) ++tally.finished;
      if (state == TrialState::pruned) ++tally.pruned;
      if (state == TrialState::failed) ++tally.failed;
    }
  }
  return tally;
}

std::vector<const Trial*> Sweep::running() const {
  std::vector<const Trial*> trials;
  for (const auto& [number, job] : jobs_) trials.push_back(&at(job.place));
  return trials;
}

Outcome Sweep::outcome() const {
  Outcome outcome{.name = recipe_.name, .objective = objective_};
  outcome.seeds = agenda_.repeats();
  outcome.expect = recipe_.expect;
  outcome.keys = swept_keys(proposals_.keys());
  for (std::size_t point = 0; point < trials_.size(); ++point) {
    for (int repeat = 0; repeat < agenda_.repeats(); ++repeat) {
      outcome.trials.push_back(at({point, repeat}));
      outcome.trials.back().state = state_of({point, repeat});
    }
  }
  for (const Proposal& other : others_) {
    for (const TrialName& name : other.trials) {
      Trial trial = read_trial(name, folder_of(name), objective_, recipe_);
      if (trial.state != TrialState::waiting) outcome.trials.push_back(std::move(trial));
    }
  }
  return outcome;
}

const Point& Sweep::point_of(const TrialName& name) const {
  for (std::size_t point = 0; point < trials_.size(); ++point)
    if (trials_[point][0].name.point == name.point) return points_[point];
  const auto other = std::find_if(others_.begin(), others_.end(), [&](const Proposal& each) {
    return each.trials[0].point == name.point;
  });
  return other->point;
}

void Sweep::write_files() const {
  const Outcome found = outcome();
  write_sweep_files(found, folder_);
  const auto points = points_of(found);
  const auto best = best_point(points, found);
  if (!best) return;
  const Trial& trial = best_trial(points[*best], found);
  files::PosixFiles disk;
  files::publish(disk, folder_ / kBestFile,
                 best_recipe(trial, found, order_.file, order_.variations,
                             proposals_.assignments_of(point_of(trial.name), trial.name.repeat)));
}

}  // namespace knead::sweep
