#include "runner/front/sweeps/sweep_progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "runner/sweep/output/words.h"
#include "runner/track/short_text.h"
#include "schema/document/shown_text.h"
#include "schema/document/source.h"
#include "schema/document/standard_streams.h"

namespace knead::front {
namespace {

using Clock = std::chrono::steady_clock;

/// How many of the trials that train now are shown.
constexpr std::size_t kMostShown = 8;
/// How often the lines below are drawn.
constexpr std::chrono::milliseconds kBetweenLooks{100};

std::string in_words(const sweep::Trial& trial, const plan::Objective& objective, int seeds) {
  std::string words = fmt::format("{:9}", to_string(trial.state));
  if (trial.best)
    words += fmt::format("  {} {} at {}", objective.metric, track::short_number(trial.best->value),
                         trial.best->step);
  words += "  " + sweep::trial_in_words(trial, seeds);
  if (trial.state == sweep::TrialState::failed) words += ": " + sweep::failure_in_words(trial);
  return words;
}

/// Returns the beginning of a line that fits into so many columns.
std::string cut_to(const std::string& line, int columns) {
  int points = 0;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (schema::begins_code_point(line[i]) && ++points > columns) return line.substr(0, i);
  return line;
}

}  // namespace

SweepProgress::SweepProgress(const sweep::Sweep& sweep, int jobs)
    : sweep_(sweep), jobs_(jobs), terminal_(track::standard_error()), begin_(Clock::now()) {
  if (!terminal_.is_live) return;
  for (const sweep::Trial& trial : sweep.outcome().trials) note(trial);
}

void SweepProgress::note(const sweep::Trial& trial) {
  if (trial.state != sweep::TrialState::finished || !trial.best) return;
  const bool is_low = sweep_.objective().goal == plan::Goal::low;
  const bool is_better = !best_ || (is_low ? trial.best->value < best_->best->value
                                           : trial.best->value > best_->best->value);
  if (is_better) best_ = trial;
}

void SweepProgress::ended(const sweep::Trial& trial) {
  clear();
  ++ended_;
  note(trial);
  const sweep::Tally tally = sweep_.tally();
  const std::size_t done = tally.finished + tally.pruned + tally.failed;
  tell(fmt::format(
      "{:>{}} of {}  {}  {}\n", done, std::to_string(tally.trials).size(), tally.trials,
      trial.name.id.substr(0, 8),
      in_words(trial, sweep_.objective(), static_cast<int>(sweep_.recipe().sweep->seeds))));
}

std::string SweepProgress::time_left(const sweep::Tally& tally) const {
  const std::size_t done = tally.finished + tally.pruned + tally.failed;
  if (ended_ == 0 || done >= tally.trials) return "";
  const std::chrono::duration<double> passed = Clock::now() - begin_;
  const double each = passed.count() / static_cast<double>(ended_);
  return fmt::format(", {} left",
                     track::short_duration(each * static_cast<double>(tally.trials - done)));
}

std::string SweepProgress::lines_below() const {
  const sweep::Tally tally = sweep_.tally();
  std::string text;
  const int seeds = static_cast<int>(sweep_.recipe().sweep->seeds);
  // A line that is wrapped would take two to clear. Some terminals wrap in the last column.
  const auto add = [&](const std::string& line) {
    text += cut_to(schema::shown_text(line), terminal_.columns() - 1) + "\n";
  };
  add(fmt::format("{} of {} trials: {} finished, {} pruned, {} failed, {} of {} running{}",
                  tally.finished + tally.pruned + tally.failed, tally.trials, tally.finished,
                  tally.pruned, tally.failed, tally.running, jobs_, time_left(tally)));
  if (best_)
    add(fmt::format("  best {} {}: {}", sweep_.objective().metric,
                    track::short_number(best_->best->value), sweep::trial_in_words(*best_, seeds)));
  const auto running = sweep_.running();
  for (std::size_t i = 0; i < std::min(running.size(), kMostShown); ++i)
    add(fmt::format("  {}  {}", running[i]->name.id.substr(0, 8),
                    sweep::trial_in_words(*running[i], seeds)));
  return text;
}

void SweepProgress::look() {
  if (!terminal_.is_live || Clock::now() - last_look_ < kBetweenLooks) return;
  clear();
  last_look_ = Clock::now();
  const std::string text = lines_below();
  drawn_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  std::fputs(text.c_str(), stderr);
}

void SweepProgress::clear() {
  for (; drawn_ > 0; --drawn_) std::fputs("\033[1A\033[2K", stderr);
}

}  // namespace knead::front
