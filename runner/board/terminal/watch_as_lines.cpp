#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "runner/board/runs/run_words.h"
#include "runner/board/terminal/run_table.h"
#include "runner/board/terminal/watch.h"
#include "runner/track/short_text.h"
#include "schema/document/shown_text.h"

namespace knead::board {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kBetweenLines{2};  // of one run

/// Returns how wide a table may be: as wide as the terminal, unlimited for a file or a pipe.
std::size_t columns_of_output() {
  constexpr std::size_t kUnlimited = 10000;
  if (!::isatty(STDOUT_FILENO)) return kUnlimited;
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string without_end_blanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// Writes lines to standard output as runs go on.
class Follower {
 public:
  explicit Follower(const WatchedFolder& folder) : folder_(folder) {
    for (const auto& run : folder.runs()) {
      told_[run->folder()] = {Clock::now(), run->step(), run->state(), run->last_evaluations()};
    }
  }

  void tell_news() {
    for (const auto& run : folder_.runs()) tell(*run);
  }

 private:
  /// Notes what was written of a run.
  struct Told {
    Clock::time_point when{};
    std::uint64_t step = 0;
    run::RunState state = run::RunState::empty;
    plan::Evaluations evaluations{};
  };

  void tell(const Glance& run) {
    Told& told = told_[run.folder()];
    if (run.last_evaluations() != told.evaluations) {
      for (const plan::Evaluation& evaluation : run.last_evaluations()) {
        if (std::find(told.evaluations.begin(), told.evaluations.end(), evaluation) ==
            told.evaluations.end())
          write(run, in_words(evaluation));
      }
      told.evaluations = run.last_evaluations();
    }
    const bool has_ended = told.state != run.state() && run.state() != run::RunState::running;
    const bool is_due = Clock::now() - told.when >= kBetweenLines || has_ended;
    if (run.step() != told.step && is_due) {
      told.when = Clock::now();
      told.step = run.step();
      std::string words = "step " + done_in_words(run);
      words += "  loss " + loss_in_words(run) + "  " + rate_in_words(run);
      if (run.seconds_left()) words += "  " + time_in_words(run);
      write(run, words);
    }
    if (told.state != run.state()) write(run, std::string(to_string(run.state())));
    told.state = run.state();
  }

  static std::string in_words(const plan::Evaluation& evaluation) {
    std::string words = fmt::format("step {}  {}", track::grouped(evaluation.step), evaluation.set);
    for (const auto& [name, value] : evaluation.values)
      words += fmt::format("  {} {}", name, track::short_number(value));
    return schema::shown_text(words);
  }

  void write(const Glance& run, const std::string& words) {
    const std::string name = folder_.is_one_run() ? "" : folder_.label(run) + "  ";
    std::fputs((name + words + "\n").c_str(), stdout);
  }

  const WatchedFolder& folder_;
  std::map<std::filesystem::path, Told> told_;
};

bool has_running(const WatchedFolder& folder) {
  const auto& runs = folder.runs();
  return !runs.empty() && runs.front()->state() == run::RunState::running;
}

}  // namespace

void watch_as_lines(const std::filesystem::path& path) {
  WatchedFolder folder(path);
  const std::string place = schema::shown_text(folder.folder().string());
  for (const std::string& sweep : folder.sweeps())
    fmt::print("sweep {0}: 'knead watch {1}/{0}' shows its trials\n", schema::shown_text(sweep),
               place);
  if (folder.runs().empty()) {
    if (folder.sweeps().empty()) fmt::print("no runs in {}\n", place);
    return;
  }
  for (const Line& line :
       run_table(folder, {}, columns_of_output(), std::numeric_limits<std::size_t>::max(), false))
    fmt::print("{}\n", without_end_blanks(line.text().substr(2)));
  Follower follower(folder);
  while (std::fflush(stdout) == 0 && has_running(folder)) {
    // Without events, standard output is reported only when its reader has gone.
    pollfd waits[] = {{folder.descriptor(), POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
    ::poll(waits, 2, 1000);
    if (waits[1].revents & POLLERR) return;
    folder.look();
    follower.tell_news();
    ::poll(nullptr, 0, 100);  // a run may report a thousand times a second
  }
}

}  // namespace knead::board
