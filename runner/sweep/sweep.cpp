#include "runner/sweep/sweep.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "runner/checkpoint/inspect.h"
#include "runner/files/digest.h"
#include "runner/files/folders.h"
#include "runner/files/posix_files.h"
#include "runner/run/baseline.h"
#include "runner/sweep/rungs.h"
#include "runner/sweep/trials/record.h"
#include "runner/sweep/trials/trial_folder.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"
#include "schema/render.h"

namespace knead::sweep {
namespace {

using Clock = std::chrono::steady_clock;

/// How often trials are looked at that other processes have.
constexpr std::chrono::milliseconds kBetweenLooks{500};
/// How long a wait for the end of a trial lasts at most; the table is drawn between two.
constexpr std::chrono::milliseconds kPatience{100};
/// How often the files of the sweep are written while trials train.
constexpr std::chrono::seconds kBetweenFiles{10};
/// How often a trial is started again whose engine was lost through no fault of its own.
constexpr int kMostInnocentEnds = 3;

recipe::Recipe resolved(const Order& order) {
  recipe::Recipe recipe = order.variations.base().recipe;
  plan::resolve(recipe, order.machine);
  recipe.expect = run::with_baselines(recipe.expect, recipe.evaluate.metrics);
  return recipe;
}

plan::Objective objective_of(const recipe::Recipe& recipe) {
  return plan::objective(recipe.sweep->objective.value(), recipe.evaluate.metrics);
}

/// Returns the step of the newest checkpoint of a run; std::nullopt if there is none.
std::optional<std::uint64_t> saved_step(const std::filesystem::path& run_folder) {
  files::PosixFiles disk;
  std::optional<std::uint64_t> step;
  for (const checkpoint::Listed& each : checkpoint::list_checkpoints(disk, run_folder))
    if (each.manifest) step = each.step;
  return step;
}

}  // namespace

bool Shard::has(const std::string& id) const {
  return std::stoull(id, nullptr, 16) % count == index - 1;
}

Sweep::Sweep(Order order)
    : order_(std::move(order)),
      recipe_(resolved(order_)),
      folder_(*recipe_.output / recipe_.name / "sweep"),
      objective_(objective_of(recipe_)),
      proposals_(order_.variations, order_.check_model),
      agenda_(static_cast<int>(recipe_.sweep->seeds), prune_rule(*recipe_.sweep)) {
  if (proposals_.needs_results()) {
    propose();
    return;
  }
  for (Proposal& each : proposals_.all(static_cast<int>(order_.machine.cores)))
    add(std::move(each));
}

Sweep::~Sweep() = default;

Trial& Sweep::at(const Place& place) {
  return trials_.at(place.point).at(static_cast<std::size_t>(place.repeat));
}

const Trial& Sweep::at(const Place& place) const {
  return trials_.at(place.point).at(static_cast<std::size_t>(place.repeat));
}

// --- points --------------------------------------------------------------------------------------

void Sweep::add(Proposal proposal) {
  if (!order_.shard.has(proposal.trials[0].id)) {
    others_.push_back(std::move(proposal));
    return;
  }
  agenda_.add_point();
  points_.push_back(std::move(proposal.point));
  auto& trials = trials_.emplace_back();
  for (TrialName& name : proposal.trials) trials.push_back({.name = std::move(name)});
  for (int repeat = 0; repeat < static_cast<int>(trials.size()); ++repeat) {
    const Place place{trials_.size() - 1, repeat};
    read(place);
    if (at(place).state != TrialState::failed) continue;
    // It is tried again, from its last checkpoint.
    at(place) = {.name = at(place).name};
    failed_before_.insert(place);
  }
}

void Sweep::propose() {
  if (!proposals_.needs_results()) return;
  const auto ahead = static_cast<std::size_t>(recipe_.sweep->concurrent - 1);
  for (;;) {
    const std::size_t known = points_.size() > ahead ? points_.size() - ahead : 0;
    if (!agenda_.are_settled(known)) return;
    auto next = proposals_.next(history(known));
    if (!next) return;
    add(std::move(*next));
  }
}

// --- trials --------------------------------------------------------------------------------------

void Sweep::read(const Place& place) {
  Trial& trial = at(place);
  const std::filesystem::path folder = folder_of(trial.name);
  trial = read_trial(trial.name, folder, objective_, recipe_);
  const auto record = read_record(folder);
  if (!record || trial.state == TrialState::waiting) return;
  for (std::size_t rung = agenda_.rungs(place.point, place.repeat); rung < record->rungs.size();
       ++rung) {
    const std::uint64_t step = record->rungs[rung];
    agenda_.reach(place.point, place.repeat, loss_at_step(trial, step, objective_.goal),
                  best_loss_until(trial, step, objective_.goal));
  }
  const bool is_final = ended_here_.contains(place) || !failed_before_.contains(place);
  if (trial.state == TrialState::finished)
    agenda_.finish(place.point, place.repeat, loss_of(trial, objective_.goal));
  if (trial.state == TrialState::failed && claims_ && is_final)
    agenda_.fail(place.point, place.repeat);
}

JobStart Sweep::start_of(const Task& task, int jobs) const {
  const TrialName& name = at({task.point, task.repeat}).name;
  auto assignments = proposals_.assignments_of(points_[task.point], task.repeat);
  const schema::Place& place = order_.variations.base().tree.at("sweep").place;
  assignments.push_back({"name", schema::text_node(name.id, place)});
  assignments.push_back({"output", schema::text_node(folder_.string(), place)});
  const schema::Understood trial = order_.variations.with(assignments);
  std::vector<std::string> words{"run", order_.file,
                                 "--digest=" + files::digest(schema::render(trial.tree)),
                                 fmt::format("--beside={}", jobs)};
  if (task.rung)
    words.push_back("--stop-after=" + schema::to_string(rung_length(*recipe_.sweep, *task.rung)));
  words.push_back("--");
  words.insert(words.end(), order_.overrides.begin(), order_.overrides.end());
  for (const auto& assignment : assignments)
    words.push_back(schema::as_argument(assignment, trial.tree));
  words.push_back("sweep=null");
  return {.words = std::move(words),
          .ranks = static_cast<int>(plan::number_of_ranks(trial.recipe, order_.machine)),
          .on_gpus = plan::uses_cuda(trial.recipe, order_.machine)};
}

void Sweep::start(const Task& task, Pool& pool, int jobs) {
  const Place place{task.point, task.repeat};
  const TrialName& name = at(place).name;
  if (!claims_->take(name.id)) {
    elsewhere_.insert(place);
    return;
  }
  // Another process may have trained it since it was read.
  const std::size_t rungs = agenda_.rungs(place.point, place.repeat);
  read(place);
  const TrialState state = at(place).state;
  const bool has_failed = state == TrialState::failed && !failed_before_.contains(place);
  if (state == TrialState::finished || has_failed ||
      agenda_.rungs(place.point, place.repeat) != rungs) {
    claims_->release(name.id);
    agenda_.hold(place.point, place.repeat, false);
    return;
  }
  const JobStart job = start_of(task, jobs);
  waiting_.erase(place);
  jobs_[pool.start(job)] = {place, task.rung, Clock::now()};
}

bool Sweep::settle(const Job& job, const JobEnd& end, bool is_stopping) {
  const Trial& trial = at(job.place);
  const std::filesystem::path folder = folder_of(trial.name);
  const auto code = static_cast<Exit>(end.code);
  if (end.is_innocent && ++innocent_ends_[job.place] <= kMostInnocentEnds) {
    claims_->release(trial.name.id);
    agenda_.hold(job.place.point, job.place.repeat, false);
    return false;
  }
  Record record;
  if (const auto before = read_record(folder)) record = *before;
  record.code = end.code;
  record.last_lines.clear();
  const bool is_interrupted = is_stopping && (code == Exit::stopped || code == Exit::interrupted);
  std::optional<std::uint64_t> rung;
  if (code == Exit::done || code == Exit::expectation_failed) {
    record.state = TrialState::finished;
  } else if (code == Exit::stopped || is_interrupted) {
    record.state = TrialState::stopped;
    if (job.rung && !is_stopping) rung = saved_step(folder);
  } else {
    record.state = TrialState::failed;
    record.last_lines = end.last_lines;
  }
  if (rung) record.rungs.push_back(*rung);
  files::PosixFiles disk;
  if (record.state == TrialState::failed) files::make_folders(disk, folder);
  // A trial that a signal stopped before its first step has left no folder.
  if (schema::is_there(folder)) write_record(record, folder);
  ended_here_.insert(job.place);
  read(job.place);
  if (rung) {
    waiting_.insert(job.place);
    agenda_.hold(job.place.point, job.place.repeat, false);
  }
  claims_->release(trial.name.id);
  return !rung;
}

void Sweep::look_elsewhere() {
  const std::set<Place> places = std::exchange(elsewhere_, {});
  for (const Place& place : places) {
    const std::string& id = at(place).name.id;
    if (!claims_->take(id)) {
      elsewhere_.insert(place);
      continue;
    }
    read(place);
    claims_->release(id);
    agenda_.hold(place.point, place.repeat, false);
  }
}

// --- training ------------------------------------------------------------------------------------

void Sweep::fill(Pool& pool, int jobs) {
  while (!pool.is_stopping() && pool.running() < static_cast<std::size_t>(jobs)) {
    propose();
    const auto task = agenda_.next();
    if (!task) return;
    start(*task, pool, jobs);
  }
}

void Sweep::tell_pruned(const Observer& observer) {
  for (auto place = waiting_.begin(); place != waiting_.end();) {
    if (!agenda_.is_pruned(place->point, place->repeat)) {
      ++place;
      continue;
    }
    Trial trial = at(*place);
    trial.state = TrialState::pruned;
    observer.ended(trial);
    place = waiting_.erase(place);
  }
}

bool Sweep::train(Pool& pool, int jobs, const Observer& observer) {
  files::PosixFiles disk;
  files::make_folders(disk, folder_);
  claims_ = std::make_unique<Claims>(folder_);
  auto looked = Clock::now();
  auto written = looked;
  for (;;) {
    fill(pool, jobs);
    tell_pruned(observer);
    observer.looked();
    if (pool.running() == 0 && (pool.is_stopping() || elsewhere_.empty())) break;
    for (const JobEnd& end : pool.wait(kPatience)) {
      const Job job = jobs_.extract(end.job).mapped();
      if (settle(job, end, pool.is_stopping())) observer.ended(at(job.place));
    }
    if (Clock::now() - looked > kBetweenLooks) {
      look_elsewhere();
      looked = Clock::now();
    }
    if (Clock::now() - written > kBetweenFiles) {
      write_files();
      written = Clock::now();
    }
  }
  claims_.reset();
  write_files();
  return !pool.is_stopping();
}

}  // namespace knead::sweep
