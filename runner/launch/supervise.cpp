#include "runner/launch/supervise.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <signal.h>

#include <fmt/format.h>

#include "runner/launch/ranks.h"

namespace knead::launch {
namespace {

using Clock = std::chrono::steady_clock;

/// The time for the others to notice a lost connection, to say so and to end, after a rank failed.
constexpr std::chrono::seconds kAfterFailure{3};
/// The time for the others to end after rank 0 ended well.
constexpr std::chrono::seconds kAfterRank0{10};
/// The time for the kernel to end what was killed.
constexpr std::chrono::seconds kAfterKill{5};
/// How often the memory of logs is freed.
constexpr std::chrono::seconds kBetweenTrims{10};

timespec to_timespec(Clock::duration duration) {
  const auto left = std::max(duration, Clock::duration::zero());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  return {seconds.count(), std::chrono::nanoseconds(left - seconds).count()};
}

/// Waits for the ends of ranks and passes signals on to them.
class Watch {
 public:
  Watch(Ranks& ranks, const HeldSignals& signals) : ranks_(ranks), signals_(signals) {}

  Ending to_the_end() {
    for (;;) {
      note(ranks_.collect());
      if (ranks_.running() == 0) return ending_;
      if (deadline_ && Clock::now() >= *deadline_) {
        if (is_killed_) {
          note(ranks_.abandon());
          return ending_;
        }
        kill_all();
      }
      wait();
    }
  }

 private:
  /// Notes ends that were collected together, and limits the time of the ranks that are left.
  void note(std::vector<RankEnd> ends) {
    for (RankEnd& end : ends) {
      end.moment = moment_;
      end.was_killed = is_killed_ && end.by_signal && end.number == SIGKILL;
      if (is_failure(end)) {
        end_within(kAfterFailure);
      } else if (end.rank == 0) {
        end_within(kAfterRank0);
      }
      ending_.ends.push_back(std::move(end));
    }
    ++moment_;
  }

  void end_within(Clock::duration time) {
    const auto at = Clock::now() + time;
    if (!is_killed_) deadline_ = std::min(deadline_.value_or(at), at);
  }

  void kill_all() {
    ranks_.send(SIGKILL);
    is_killed_ = true;
    deadline_ = Clock::now() + kAfterKill;
  }

  /// Waits for a signal, which may say that a rank has ended, and takes it.
  void wait() {
    const bool has_logs = ranks_.count() > 1;
    int signal;
    if (!deadline_ && !has_logs) {
      signal = sigwaitinfo(&signals_.held(), nullptr);
    } else {
      const auto tick = Clock::now() + kBetweenTrims;
      const timespec most = to_timespec(std::min(deadline_.value_or(tick), tick) - Clock::now());
      signal = sigtimedwait(&signals_.held(), nullptr, &most);
      if (signal < 0) ranks_.trim_logs();
    }
    if (signal > 0 && signal != SIGCHLD) take(signal);
  }

  void take(int signal) {
    if (signal == SIGTSTP) {
      suspend();
    } else if (signal == SIGCONT) {
      ranks_.send(SIGCONT);
    } else {
      stop(signal);
    }
  }

  void suspend() {
    // Ctrl-Z reaches only this process, because the ranks have their own process groups. SIGSTOP
    // cannot be blocked, so raise() suspends this process too.
    ranks_.send(SIGSTOP);
    const auto before = Clock::now();
    raise(SIGSTOP);
    if (deadline_) *deadline_ += Clock::now() - before;
  }

  void stop(int signal) {
    interrupts_ += signal == SIGINT ? 1 : 0;
    ending_.interrupted = interrupts_ > 1;
    const int passed_on = signal == SIGHUP ? SIGTERM : signal;
    ending_.passed_on.insert(passed_on);
    if (ending_.interrupted) {
      kill_all();
    } else {
      ranks_.send(passed_on);
      ranks_.send(SIGCONT);  // a rank that somebody has suspended could not take it
    }
  }

  Ranks& ranks_;
  const HeldSignals& signals_;
  Ending ending_;
  std::optional<Clock::time_point> deadline_;  // of all ranks that are left
  bool is_killed_ = false;
  int moment_ = 0;
  int interrupts_ = 0;
};

Verdict notice_of_restart(const Ending& ending, int restart, int restarts) {
  Verdict verdict = judge(ending);
  if (verdict.message.empty()) verdict.message = "a rank was lost";
  verdict.message += fmt::format("; starting {} again ({} of {})",
                                 ending.ends.size() == 1 ? "it" : "all ranks", restart, restarts);
  return verdict;
}

}  // namespace

Ending supervise(Command command, const Team& team, const HeldSignals& signals,
                 const Notice& notice) {
  // A parent that ignores SIGCHLD passes that on over exec, and the system then reports no end of a
  // child.
  signal(SIGCHLD, SIG_DFL);
  for (int restart = 1;; ++restart) {
    Ranks ranks(command, team.ranks, signals);
    const Ending ending = Watch(ranks, signals).to_the_end();
    const bool is_asked_to_stop = !ending.passed_on.empty() || signals.is_stop_pending();
    if (judge(ending).code != Exit::rank_lost || is_asked_to_stop || restart > team.restarts)
      return ending;
    notice(notice_of_restart(ending, restart, team.restarts));
    if (team.arguments_again) command.arguments = team.arguments_again();
  }
}

}  // namespace knead::launch
