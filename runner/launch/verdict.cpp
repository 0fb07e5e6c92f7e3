#include "runner/launch/verdict.h"

#include <algorithm>
#include <tuple>

#include <signal.h>
#include <string.h>

#include <fmt/format.h>

namespace knead::launch {
namespace {

constexpr int kRankLost = static_cast<int>(Exit::rank_lost);
constexpr int kLostAnother = static_cast<int>(Exit::lost_another);

/// Returns whether an exit code is a documented one, which the rank itself has explained, or that
/// of a rank that leaves it to the launcher.
bool is_documented(int code) {
  return (code >= 0 && code <= 7) || code == static_cast<int>(Exit::stopped) ||
         code == kLostAnother || code == static_cast<int>(Exit::interrupted);
}

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

/// Returns whether a rank was ended by a stop signal before it could take it. The engine handles
/// stop signals once it trains. Before that they have their usual effect, which is a stop as asked
/// for and not a lost rank. Another signal, such as a SIGSEGV while the run saves its last
/// checkpoint, is a lost rank also after a stop signal.
bool is_early_stop(const RankEnd& end, const Ending& ending) {
  return end.by_signal && !end.was_killed && ending.passed_on.contains(end.number);
}

bool lost_another(const RankEnd& end) {
  return !end.by_signal && (end.number == kRankLost || end.number == kLostAnother);
}

/// Orders failures: the least is the cause.
auto order_of(const RankEnd& end) {
  const int kind = end.by_signal ? 0 : !is_documented(end.number) ? 1 : 2;
  return std::tuple(lost_another(end), end.moment, kind, end.rank);
}

/// Returns the failure that ended the run; null if no rank failed by itself.
const RankEnd* cause_of(const Ending& ending) {
  const bool early_stop = std::any_of(ending.ends.begin(), ending.ends.end(),
                                      [&](const RankEnd& e) { return is_early_stop(e, ending); });
  const RankEnd* cause = nullptr;
  for (const RankEnd& end : ending.ends) {
    if (!is_failure(end) || end.was_killed || is_early_stop(end, ending)) continue;
    if (early_stop && lost_another(end)) continue;  // it lost a rank that was stopped
    if (!cause || order_of(end) < order_of(*cause)) cause = &end;
  }
  if (!cause || cause->by_signal || !is_documented(cause->number)) return cause;
  for (const RankEnd& end : ending.ends)
    if (end.rank == 0 && !end.by_signal && end.number == cause->number) return &end;
  return cause;
}

/// Says how far a rank was; empty before its first step.
std::string after_step(const RankEnd& end) {
  return end.step == 0 ? "" : fmt::format(" after step {}", end.step);
}

std::vector<std::string> lines_of(const RankEnd& end) {
  std::vector<std::string> lines;
  for (const std::string& line : end.last_lines)
    lines.push_back(fmt::format("  rank {}: {}", end.rank, line));
  return lines;
}

/// Returns the ranks that the launcher had to kill, "rank 2" or "rank 1 and rank 2"; empty if there
/// are none.
std::string killed_ranks(const Ending& ending) {
  std::set<int> ranks;
  for (const RankEnd& end : ending.ends)
    if (end.was_killed) ranks.insert(end.rank);
  std::string text;
  for (const int rank : ranks)
    text += fmt::format("{}rank {}",
                        text.empty()              ? ""
                        : rank == *ranks.rbegin() ? " and "
                                                  : ", ",
                        rank);
  return text;
}

/// Judges a run without a failure. Rank 0 counts, because it writes what the run leaves.
Verdict judge_good(const Ending& ending) {
  for (const RankEnd& end : ending.ends)
    if (is_early_stop(end, ending))
      return {Exit::stopped, "stopped before the run could take the signal", "", {}};
  const auto first = std::find_if(ending.ends.begin(), ending.ends.end(),
                                  [](const RankEnd& end) { return end.rank == 0; });
  Verdict verdict{static_cast<Exit>(first->number), "", "", {}};
  if (const std::string killed = killed_ranks(ending); !killed.empty()) {
    verdict.message = fmt::format("{} did not end after rank 0, and had to be killed", killed);
    verdict.remedy = "nothing is lost: rank 0 writes what a run leaves";
  }
  return verdict;
}

/// Returns whether a signal says that a program did what it must not, and not that it was stopped.
bool is_crash(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGABRT || number == SIGFPE ||
         number == SIGILL;
}

Verdict judge_signal(const RankEnd& end) {
  if (is_crash(end.number) && !end.reading.empty()) {
    return {Exit::not_usable,
            fmt::format("knead-engine crashed while it read {} ({})", end.reading,
                        signal_name(end.number)),
            "the file is damaged, or made to do this; if it is a good one, please report it",
            lines_of(end)};
  }
  std::string remedy;
  if (end.number == SIGKILL) {
    remedy = "SIGKILL is mostly the kernel's out-of-memory killer; see its log";
  } else if (is_crash(end.number)) {
    remedy = "please report it, with the recipe, its model and what 'knead env' prints";
  }
  return {
      Exit::rank_lost,
      fmt::format("rank {} was ended by {}{}", end.rank, signal_name(end.number), after_step(end)),
      std::move(remedy), lines_of(end)};
}

Verdict judge_undocumented(const RankEnd& end, bool is_only_rank) {
  if (end.number == 127) {  // of the dynamic loader: a library is missing
    return {Exit::not_usable, "knead-engine could not be loaded",
            fmt::format("what is missing stands {}; build or install knead again",
                        end.rank == 0 ? "above" : "below"),
            lines_of(end)};
  }
  return {Exit::internal_error,
          fmt::format("knead-engine ended with code {}{}{}", end.number,
                      is_only_rank ? "" : fmt::format(", as rank {}", end.rank), after_step(end)),
          "please report it, with what 'knead env' prints", lines_of(end)};
}

/// Judges a documented code. A rank that only lost another says nothing about which, so one that
/// never ended by itself is named.
Verdict judge_documented(const RankEnd& end, const Ending& ending) {
  Verdict verdict{static_cast<Exit>(end.number), "", "", lines_of(end)};
  if (end.number == kLostAnother) {
    verdict.code = Exit::rank_lost;
    verdict.message =
        fmt::format("rank {} has lost the connection to another rank{}", end.rank, after_step(end));
    verdict.remedy = "the rank that ended first says why; a run goes on from its last checkpoint";
  } else if (end.rank != 0) {
    verdict.message =
        fmt::format("rank {} ended with code {}{}", end.rank, end.number, after_step(end));
  }
  const std::string killed = lost_another(end) ? killed_ranks(ending) : "";
  if (!killed.empty()) {
    verdict.message +=
        fmt::format("{}{} hung, and had to be killed", verdict.message.empty() ? "" : "; ", killed);
  }
  return verdict;
}

}  // namespace

bool is_failure(const RankEnd& end) {
  return end.by_signal || (end.number != static_cast<int>(Exit::done) &&
                           end.number != static_cast<int>(Exit::expectation_failed) &&
                           end.number != static_cast<int>(Exit::stopped));
}

Verdict judge(const Ending& ending) {
  if (ending.interrupted) return {Exit::interrupted, "interrupted twice: ended at once", "", {}};
  const RankEnd* cause = cause_of(ending);
  if (!cause) return judge_good(ending);
  if (cause->by_signal) return judge_signal(*cause);
  if (!is_documented(cause->number)) return judge_undocumented(*cause, ending.ends.size() == 1);
  return judge_documented(*cause, ending);
}

}  // namespace knead::launch
