#include "runner/sweep/agenda.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace knead::sweep {

Agenda::Agenda(int repeats, std::optional<PruneRule> rule)
    : repeats_(repeats), rule_(std::move(rule)) {}

void Agenda::add_point() {
  points_.emplace_back().repeats.resize(static_cast<std::size_t>(repeats_));
}

void Agenda::reach(std::size_t point, int repeat, double loss, double best) {
  Standing& trial = points_.at(point).repeats.at(static_cast<std::size_t>(repeat));
  trial.losses.push_back(loss);
  trial.bests.push_back(best);
}

void Agenda::finish(std::size_t point, int repeat, double loss) {
  points_.at(point).repeats.at(static_cast<std::size_t>(repeat)).end =
      std::isnan(loss) ? kWorst : loss;
}

void Agenda::fail(std::size_t point, int repeat) { finish(point, repeat, kWorst); }

void Agenda::hold(std::size_t point, int repeat, bool is_held) {
  points_.at(point).repeats.at(static_cast<std::size_t>(repeat)).is_held = is_held;
}

std::size_t Agenda::rungs(std::size_t point, int repeat) const {
  return points_.at(point).repeats.at(static_cast<std::size_t>(repeat)).losses.size();
}

// --- who goes on ---------------------------------------------------------------------------------

std::optional<double> Agenda::loss_at(const PointStanding& point, std::size_t rung,
                                      bool takes_best) {
  double sum = 0;
  for (const Standing& each : point.repeats) {
    if (rung < each.losses.size()) {
      sum += takes_best ? each.bests[rung] : each.losses[rung];
    } else if (each.end) {
      sum += *each.end;
    } else {
      return std::nullopt;
    }
  }
  return sum / static_cast<double>(point.repeats.size());
}

bool Agenda::has_ended(const PointStanding& point) {
  return std::all_of(point.repeats.begin(), point.repeats.end(),
                     [](const Standing& each) { return each.end.has_value(); });
}

std::optional<bool> Agenda::first_pass_reaches(std::size_t point, std::size_t rung) {
  for (std::size_t below = 0; below < rung; ++below) {
    const auto goes_on = decide(point, below);
    if (!goes_on || !*goes_on) return goes_on;
  }
  return true;
}

std::optional<bool> Agenda::decide(std::size_t point, std::size_t rung) {
  PointStanding& here = points_[point];
  if (rung < here.goes_on.size()) return here.goes_on[rung] != 0;
  const auto loss = loss_at(here, rung, rule_->judges_best);
  if (!loss) return std::nullopt;
  std::vector<double> earlier;
  for (std::size_t other = 0; other < point; ++other) {
    const auto reaches = first_pass_reaches(other, rung);
    if (!reaches) return std::nullopt;
    if (!*reaches) continue;
    const auto theirs = loss_at(points_[other], rung);
    if (!theirs) return std::nullopt;
    earlier.push_back(*theirs);
  }
  here.goes_on.push_back(rule_->goes_on(earlier, *loss) ? 1 : 0);
  return here.goes_on.back() != 0;
}

std::optional<bool> Agenda::may_leave(std::size_t point, std::size_t rung) {
  if (rung < points_[point].promoted) return true;
  const auto reaches = first_pass_reaches(point, rung);
  // A point that the first pass has pruned at a lower rung leaves this one by promotion only.
  return reaches && *reaches ? decide(point, rung) : reaches;
}

bool Agenda::is_pruned(std::size_t point, int repeat) const {
  const PointStanding& here = points_.at(point);
  const Standing& trial = here.repeats.at(static_cast<std::size_t>(repeat));
  if (!rule_ || trial.end || trial.losses.empty()) return false;
  const std::size_t rung = trial.losses.size() - 1;
  if (rung < here.promoted) return false;
  const auto against = std::find(here.goes_on.begin(), here.goes_on.end(), 0);
  return against != here.goes_on.end() &&
         rung >= static_cast<std::size_t>(against - here.goes_on.begin());
}

bool Agenda::is_settled(std::size_t point) const {
  for (int repeat = 0; repeat < repeats_; ++repeat) {
    const auto& trial = points_.at(point).repeats[static_cast<std::size_t>(repeat)];
    if (!trial.end && !is_pruned(point, repeat)) return false;
  }
  return true;
}

bool Agenda::are_settled(std::size_t end) {
  for (std::size_t point = first_open_; point < std::min(end, points_.size()); ++point) {
    if (rule_ && !has_ended(points_[point])) {
      // Decisions are taken when they are asked for.
      for (std::size_t rung = 0; loss_at(points_[point], rung) && may_leave(point, rung) == true;)
        ++rung;
    }
    if (!is_settled(point)) return false;
  }
  return end <= points_.size();
}

// --- the next task -------------------------------------------------------------------------------

std::optional<Task> Agenda::task_of(std::size_t point) {
  PointStanding& here = points_[point];
  for (int repeat = 0; repeat < repeats_; ++repeat) {
    Standing& trial = here.repeats[static_cast<std::size_t>(repeat)];
    if (trial.end || trial.is_held) continue;
    const std::size_t rung = trial.losses.size();
    if (rule_ && rung > 0 && may_leave(point, rung - 1) != true) continue;
    trial.is_held = true;
    return Task{point, repeat, rule_ ? std::optional(rung) : std::nullopt};
  }
  return std::nullopt;
}

std::optional<Task> Agenda::next() {
  while (first_open_ < points_.size() && has_ended(points_[first_open_])) ++first_open_;
  for (std::size_t point = first_open_; point < points_.size(); ++point) {
    if (auto task = task_of(point)) return task;
  }
  if (!are_settled(points_.size()) || !promote()) return std::nullopt;
  return next();
}

bool Agenda::promote() {
  if (!rule_ || !rule_->promotes) return false;
  for (std::size_t rung = 0;; ++rung) {
    std::vector<std::size_t> reached;
    std::vector<double> losses;
    for (std::size_t point = 0; point < points_.size(); ++point) {
      const auto loss = loss_at(points_[point], rung);
      const bool has_rung = points_[point].repeats[0].losses.size() > rung;
      if (!loss || !has_rung) continue;
      reached.push_back(point);
      losses.push_back(*loss);
    }
    if (reached.empty()) return false;
    bool is_any = false;
    for (const std::size_t index : rule_->promotes(losses)) {
      PointStanding& point = points_[reached[index]];
      const bool waits =
          !has_ended(point) && point.repeats[0].losses.size() == rung + 1 && point.promoted <= rung;
      if (!waits || may_leave(reached[index], rung) == true) continue;
      point.promoted = rung + 1;
      is_any = true;
    }
    if (is_any) return true;
  }
}

}  // namespace knead::sweep
