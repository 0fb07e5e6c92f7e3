#include "runner/sweep/pool.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/launch/last_lines.h"
#include "runner/launch/verdict.h"
#include "schema/document/error.h"
#include "schema/document/standard_streams.h"

namespace knead::sweep {

Pool::Pool(std::filesystem::path engine, RunTeam run_team, std::vector<std::string> gpus,
           const launch::HeldSignals& signals)
    : run_team_(std::move(run_team)),
      gpus_(std::move(gpus)),
      signals_(signals),
      engine_path_(std::move(engine)),
      signal_file_(signalfd(-1, &signals.held(), SFD_CLOEXEC | SFD_NONBLOCK)) {
  if (signal_file_ < 0)
    throw Error(fmt::format("cannot wait for signals: {}", std::strerror(errno)));
}

Pool::~Pool() {
  for (const auto& [number, job] : jobs_) {
    if (job.supervisor == 0) continue;
    kill(job.supervisor, SIGKILL);
    waitpid(job.supervisor, nullptr, 0);
  }
  close(signal_file_);
}

// --- starting ------------------------------------------------------------------------------------

/// Returns the places of GPUs in gpus_, those first that the fewest jobs use: all if there are
/// fewer than `count`.
std::vector<std::size_t> Pool::least_used_gpus(std::size_t count) const {
  std::vector<std::size_t> uses(gpus_.size());
  for (const auto& [number, job] : jobs_)
    for (const std::size_t gpu : job.gpus) ++uses[gpu];
  std::vector<std::size_t> order(gpus_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return uses[a] < uses[b]; });
  order.resize(std::min(order.size(), count));
  return order;
}

pid_t Pool::start_supervisor(const JobStart& start, const Job& job) const {
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0)
    throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)),
                "fewer trials at once (--jobs) need fewer processes");
  if (process > 0) return process;
  // A group of its own, so that a terminal's signal reaches it through the sweep alone.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(static_cast<int>(Exit::rank_lost));
  dup2(job.said.descriptor(), STDOUT_FILENO);
  dup2(job.said.descriptor(), STDERR_FILENO);
  std::vector<std::string> names;
  for (const std::size_t gpu : job.gpus) names.push_back(gpus_[gpu]);
  if (!names.empty())
    setenv("CUDA_VISIBLE_DEVICES", fmt::format("{}", fmt::join(names, ",")).c_str(), 1);
  int code = static_cast<int>(Exit::internal_error);
  try {
    code = run_team_(start.words, start.ranks);
  } catch (const std::exception& error) {
    tell(fmt::format("knead: {}\n", error.what()));
  }
  std::fflush(nullptr);
  _exit(code);
}

int Pool::start(const JobStart& start) {
  Job job{.said = launch::MemoryFile("knead-trial")};
  // The warm engine has trained on the CPU: LibTorch would not find a GPU any more.
  if (start.ranks == 1 && !start.on_gpus) {
    if (!engine_) engine_.emplace(engine_path_, signals_);
    job.call = engine_->start(start.words, job.said.descriptor());
  } else {
    if (start.on_gpus) job.gpus = least_used_gpus(static_cast<std::size_t>(start.ranks));
    job.supervisor = start_supervisor(start, job);
  }
  jobs_.emplace(++last_job_, std::move(job));
  return last_job_;
}

// --- signals -------------------------------------------------------------------------------------

void Pool::send(int signal) {
  for (const auto& [number, job] : jobs_) {
    if (job.supervisor != 0) {
      kill(job.supervisor, signal);
    } else {
      engine_->send(job.call, signal);
    }
  }
}

void Pool::suspend() {
  for (const auto& [number, job] : jobs_) {
    // A supervisor stops its ranks and itself.
    if (job.supervisor != 0) kill(job.supervisor, SIGTSTP);
    if (job.call != 0) engine_->send(job.call, SIGSTOP);
  }
  raise(SIGSTOP);
  send(SIGCONT);
}

void Pool::take_signals() {
  signalfd_siginfo info{};
  while (read(signal_file_, &info, sizeof info) == sizeof info) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD || signal == SIGCONT) continue;
    if (signal == SIGTSTP) {
      suspend();
      continue;
    }
    ++stop_signals_;
    if (signal == SIGINT && ++interrupts_ == 2) {
      is_interrupted_ = true;
      send(SIGKILL);
      return;
    }
    if (stop_signals_ == 1) send(signal == SIGHUP ? SIGTERM : signal);
  }
}

// --- ends ----------------------------------------------------------------------------------------

JobEnd Pool::end_of(int number, const Job& job, bool by_signal, int code) const {
  JobEnd end{.job = number,
             .code = code,
             .last_lines = launch::last_lines(job.said.end(2 * launch::kMostLastBytes))};
  if (!by_signal) return end;
  launch::Ending ending;
  ending.ends.push_back({.by_signal = true, .number = code});
  ending.interrupted = is_interrupted_;
  const launch::Verdict verdict = launch::judge(ending);
  end.code = static_cast<int>(verdict.code);
  end.last_lines.push_back("knead: " + verdict.message);
  return end;
}

void Pool::collect_calls(std::vector<JobEnd>& ends) {
  if (!engine_) return;
  for (const launch::CallEnd& call : engine_->collect()) {
    const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& each) {
      return each.second.call == call.call;
    });
    if (found == jobs_.end()) continue;
    JobEnd end = end_of(found->first, found->second, call.by_signal, call.number);
    end.is_innocent = call.with_engine && !is_interrupted_;
    ends.push_back(std::move(end));
    jobs_.erase(found);
  }
}

void Pool::collect_teams(std::vector<JobEnd>& ends) {
  for (auto job = jobs_.begin(); job != jobs_.end();) {
    int status = 0;
    const pid_t process = job->second.supervisor;
    if (process == 0 || waitpid(process, &status, WNOHANG) != process) {
      ++job;
      continue;
    }
    const bool by_signal = WIFSIGNALED(status);
    ends.push_back(end_of(job->first, job->second, by_signal,
                          by_signal ? WTERMSIG(status) : WEXITSTATUS(status)));
    job = jobs_.erase(job);
  }
}

std::vector<JobEnd> Pool::wait(std::chrono::milliseconds patience) {
  std::array<pollfd, 2> files{pollfd{signal_file_, POLLIN, 0},
                              pollfd{engine_ ? engine_->descriptor() : -1, POLLIN, 0}};
  poll(files.data(), files.size(), static_cast<int>(patience.count()));
  take_signals();
  std::vector<JobEnd> ends;
  collect_calls(ends);
  collect_teams(ends);
  for (const auto& [number, job] : jobs_) job.said.free_all_but(4 * launch::kMostLastBytes);
  return ends;
}

}  // namespace knead::sweep
