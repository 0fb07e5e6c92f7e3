#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "runner/front/check/check_model.h"
#include "runner/front/emit.h"
#include "runner/front/engine.h"
#include "runner/front/line/terminal.h"
#include "runner/front/notify.h"
#include "runner/front/sweeps/sweep_progress.h"
#include "runner/front/verb.h"
#include "runner/launch/visible_gpus.h"
#include "runner/sweep/output/annotations.h"
#include "runner/sweep/output/junit_report.h"
#include "runner/sweep/output/matrix.h"
#include "runner/sweep/output/summary.h"
#include "runner/sweep/output/words.h"
#include "runner/sweep/sweep.h"
#include "runner/track/short_text.h"
#include "schema/document/count_words.h"
#include "schema/document/problem_text.h"
#include "schema/document/standard_streams.h"
#include "schema/variations.h"

#include <unistd.h>

namespace knead::front {
namespace {

namespace fs = std::filesystem;

/// Returns a whole number of at least 1; std::nullopt for another text.
std::optional<std::uint64_t> positive(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

std::uint64_t number_of(const Arguments& arguments, const std::string& option) {
  const std::string text = arguments.get(option, "");
  if (const auto number = positive(text); number && *number <= 1'000'000) return *number;
  throw Error(fmt::format("'--{} {}' is no number from 1 to 1000000", option, text),
              fmt::format("for example: --{} 4", option), Exit::invalid_recipe);
}

sweep::Shard shard_of(const Arguments& arguments) {
  if (!arguments.has("shard")) return {};
  const std::string text = arguments.get("shard", "");
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto index = positive(std::string_view(text).substr(0, slash));
    const auto count = positive(std::string_view(text).substr(slash + 1));
    if (index && count && *index <= *count) return {*index, *count};
  }
  throw Error(fmt::format("'--shard {}' names no shard", text),
              "the second of four is --shard 2/4: shards count from 1", Exit::invalid_recipe);
}

/// Reads the recipe, prints its warnings, and refuses one that says nothing of a sweep.
schema::Variations read_recipe(const Arguments& arguments, const schema::World& world) {
  const std::string file = only_file(*find_verb("sweep"), arguments);
  schema::Variations variations(file, arguments.overrides, world);
  const auto warn = [](const schema::Problems& warnings) {
    std::fputs(schema::to_text(warnings, wants_colour(2)).c_str(), stderr);
  };
  warn(variations.base().warnings);
  if (!variations.base().recipe.sweep)
    throw Error(fmt::format("{} has no block 'sweep'", file),
                "write which keys differ between trials, for example sweep: {over: {optimizer.lr: "
                "[1e-3, 1e-4]}}; 'knead explain sweep' has the rest",
                Exit::invalid_recipe);
  warn(require_model(variations.base(), world));
  return variations;
}

/// Throws knead::Error for parts of a search that cannot be cut.
void refuse_parts(const recipe::Recipe& recipe) {
  if (recipe.sweep->search != recipe::Sweep::Search::tpe) return;
  throw Error(
      "search: tpe cannot be cut into shards: it chooses a trial by the results of all others",
      "sweep.search=sobol needs no results; or start 'knead sweep' several times on one "
      "folder, which they share",
      Exit::invalid_recipe);
}

/// Returns how many trials train at once: what is asked for, or as many as have a core for each of
/// their threads.
int jobs_of(const Arguments& arguments, const recipe::Recipe& recipe,
            const plan::Machine& machine) {
  if (arguments.has("jobs")) return static_cast<int>(number_of(arguments, "jobs"));
  const std::int64_t ranks = plan::number_of_ranks(recipe, machine);
  if (plan::uses_cuda(recipe, machine))
    return static_cast<int>(std::max<std::int64_t>(machine.gpus / ranks, 1));
  std::int64_t threads = ranks;
  // A trial whose recipe leaves its threads open takes them from its share of the cores.
  if (recipe.threads) threads *= *recipe.threads;
  return static_cast<int>(std::max<std::int64_t>(machine.cores / threads, 1));
}

/// Prints a line for each trial: its id, its state and its values.
void print_trials(const sweep::Outcome& outcome) {
  std::string text;
  for (const sweep::Trial& trial : outcome.trials)
    text += fmt::format("{}  {:8}  {}\n", trial.name.id, to_string(trial.state),
                        sweep::trial_in_words(trial, outcome.seeds));
  print_lines(text);
}

/// Throws knead::Error if the file of --junit cannot be written, before anything is trained for it.
void expect_writable_report(const Arguments& arguments) {
  if (!arguments.has("junit")) return;
  const std::string path = arguments.get("junit", "");
  if (std::ofstream(path, std::ios::app)) return;
  throw Error(fmt::format("cannot write {}", path), "--junit takes a file to write");
}

/// Writes what CI reads: JUnit where it is asked for, and what GitHub shows of a job.
void write_reports(const Arguments& arguments, const sweep::Outcome& outcome) {
  if (arguments.has("junit")) {
    const std::string path = arguments.get("junit", "");
    std::ofstream file(path);
    file << sweep::junit_report(outcome);
    file.close();
    if (!file) throw Error(fmt::format("cannot write {}", path), "--junit takes a file to write");
  }
  if (const char* const path = std::getenv("GITHUB_STEP_SUMMARY"); path && *path) {
    std::ofstream file(path, std::ios::app);
    file << sweep::summary_markdown(outcome);
  }
  if (const char* const actions = std::getenv("GITHUB_ACTIONS"); actions && *actions)
    print(sweep::annotations(outcome));
}

/// Returns the mean of a point with several seeds, by which it is judged, for the end of a
/// sentence.
std::string mean_in_words(const sweep::PointResult& point) {
  if (!point.spread) return "";
  return fmt::format("; mean of {} seeds {}, spread {}", point.trials.size(),
                     track::short_number(*point.mean), track::short_number(*point.spread));
}

/// Prints the expectations that points do not meet, at most ten of them.
void print_unmet(const std::vector<sweep::PointResult>& points) {
  constexpr std::size_t kMostShown = 10;
  std::vector<std::string> lines;
  for (const sweep::PointResult& point : points) {
    for (const std::string& sentence : sweep::unmet_sentences(point))
      lines.push_back(sweep::point_in_words(point) + ": " + sentence);
  }
  for (std::size_t i = 0; i < std::min(lines.size(), kMostShown); ++i)
    tell(fmt::format("{}\n", lines[i]));
  if (lines.size() > kMostShown)
    tell(fmt::format("{} more are not met; sweep.jsonl has all\n", lines.size() - kMostShown));
}

/// Says how the sweep went and returns its exit code.
Exit conclude(const sweep::Sweep& sweep, const sweep::Outcome& outcome, bool is_whole) {
  tell(fmt::format("{}\n", sweep::states_in_words(outcome.trials)));
  const auto points = sweep::points_of(outcome);
  if (const auto best = sweep::best_point(points, outcome)) {
    const sweep::Trial& trial = sweep::best_trial(points[*best], outcome);
    tell(fmt::format("best {} {} at step {}: {}{}\n", outcome.objective.metric,
                     track::short_number(trial.best->value), trial.best->step,
                     sweep::trial_in_words(trial, outcome.seeds), mean_in_words(points[*best])));
    tell(fmt::format(
        "to train it again: knead run {}\n",
        (sweep.folder() / "best.yaml").lexically_proximate(fs::current_path()).string()));
  }
  if (!is_whole) {
    tell("stopped; the same command goes on\n");
    return Exit::stopped;
  }
  print_unmet(points);
  return sweep::exit_of(outcome);
}

run::RunEnding ending_of_sweep(const sweep::Sweep& sweep, const sweep::Outcome& outcome, Exit end) {
  run::RunEnding ending = run::ending_of_run(sweep.folder(), end);
  ending.name = sweep.recipe().name;
  const auto points = sweep::points_of(outcome);
  if (const auto best = sweep::best_point(points, outcome)) {
    const sweep::Trial& trial = sweep::best_trial(points[*best], outcome);
    ending.best =
        fmt::format("{} {} of {}", outcome.objective.metric, track::short_number(trial.best->value),
                    sweep::trial_in_words(trial, outcome.seeds));
  }
  return ending;
}

Exit train(const Arguments& arguments, sweep::Sweep& sweep, const plan::Machine& machine,
           const launch::HeldSignals& signals) {
  expect_writable_report(arguments);
  const int jobs = jobs_of(arguments, sweep.recipe(), machine);
  const auto run_team = [&signals](const std::vector<std::string>& words, int ranks) {
    return static_cast<int>(run_engine(words, signals, {.ranks = ranks}));
  };
  sweep::Pool pool(ready_engine(), run_team, launch::visible_gpus(schema::this_world().environment),
                   signals);
  SweepProgress progress(sweep, jobs);
  const sweep::Tally before = sweep.tally();
  tell(fmt::format(
      "{} in {}{}, {} at once\n",
      schema::count_words(static_cast<std::int64_t>(before.trials), "trial"),
      sweep.folder().lexically_proximate(fs::current_path()).string(),
      before.finished == 0 ? "" : fmt::format(", {} of them finished before", before.finished),
      jobs));
  const bool is_whole = sweep.train(pool, jobs,
                                    {.ended = [&](const auto& trial) { progress.ended(trial); },
                                     .looked = [&] { progress.look(); }});
  progress.clear();
  const sweep::Outcome outcome = sweep.outcome();
  write_reports(arguments, outcome);
  const Exit end = pool.is_interrupted() ? Exit::interrupted : conclude(sweep, outcome, is_whole);
  notify(sweep.recipe(), ending_of_sweep(sweep, outcome, end));
  return end;
}

}  // namespace

Exit sweep_verb(const Arguments& arguments) {
  const launch::HeldSignals signals;  // from here on, so that no stop signal is lost
  const schema::World world = schema::this_world();
  const schema::Variations variations = read_recipe(arguments, world);
  const bool has_parts = arguments.has("shard") || arguments.has("emit") || arguments.has("matrix");
  if (has_parts) refuse_parts(variations.base().recipe);
  if (arguments.has("matrix")) {
    print(sweep::matrix_text(static_cast<std::int64_t>(number_of(arguments, "matrix"))));
    return Exit::done;
  }
  plan::Machine machine = machine_of_ranks();
  machine.cores = sysconf(_SC_NPROCESSORS_ONLN);
  sweep::Sweep sweep(
      {.variations = variations,
       .file = arguments.files[0],
       .overrides = arguments.overrides,
       .machine = machine,
       .check_model = [&world](const schema::Understood& trial) { require_model(trial, world); },
       .shard = shard_of(arguments)});
  if (arguments.has("emit"))
    return emit_sweep(arguments, sweep.recipe(), static_cast<std::int64_t>(sweep.tally().trials));
  if (!arguments.has("dry")) return train(arguments, sweep, machine, signals);
  print_trials(sweep.outcome());
  return Exit::done;
}

}  // namespace knead::front
