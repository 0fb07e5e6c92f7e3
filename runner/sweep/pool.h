#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include "runner/launch/held_signals.h"
#include "runner/launch/memory_file.h"
#include "runner/launch/warm_engine.h"

namespace knead::sweep {

/// Describes what a Pool starts: the arguments of the engine, how many ranks it has, and whether
/// each of them takes a GPU.
struct JobStart {
  std::vector<std::string> words;
  int ranks = 1;
  bool on_gpus = false;
};

/// Describes how a job of a Pool ended.
struct JobEnd {
  int job = 0;
  /// Exit code; that of a lost rank (6) after a death by a signal.
  int code = 0;
  /// The last lines that it said, safe to print, and after a death by a signal what happened.
  std::vector<std::string> last_lines;
  /// The job ended through no fault of its own, because the engine that serves all jobs did.
  bool is_innocent = false;
};

/// Runs trials beside each other: those of one rank on the CPU as processes that a warm engine
/// makes, all others each under a supervisor of its own, which shows its ranks the GPUs that the
/// fewest trials use. Nothing of them is left when this process ends. Not thread-safe.
class Pool {
 public:
  /// Trains a trial of several ranks in this process, and returns the exit code: what `knead run`
  /// does after it has checked the recipe. `words` are the arguments of the engine.
  using RunTeam = std::function<int(const std::vector<std::string>& words, int ranks)>;

  /// `engine` is the path of knead-engine, whose environment is set in this process. `gpus` are
  /// those of this machine, as launch::visible_gpus() names them. `signals` must outlive this.
  Pool(std::filesystem::path engine, RunTeam run_team, std::vector<std::string> gpus,
       const launch::HeldSignals& signals);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Starts a job and returns its number. Throws knead::Error if that is not possible.
  int start(const JobStart& start);

  /// Returns how many jobs have not ended.
  std::size_t running() const { return jobs_.size(); }

  /// Waits until a job ends or a signal arrives, at most so long. Returns the jobs that have ended.
  std::vector<JobEnd> wait(std::chrono::milliseconds patience);

  /// Returns whether a signal has asked the sweep to stop. The jobs have got it then: each saves
  /// and ends. A second SIGINT kills them.
  bool is_stopping() const { return stop_signals_ > 0; }
  /// Returns whether a second SIGINT has killed the jobs.
  bool is_interrupted() const { return is_interrupted_; }

 private:
  struct Job {
    int call = 0;                     // of the warm engine; 0 for a team
    pid_t supervisor = 0;             // of a team; 0 for a call
    std::vector<std::size_t> gpus{};  // places in gpus_
    launch::MemoryFile said;
  };

  std::vector<std::size_t> least_used_gpus(std::size_t count) const;
  pid_t start_supervisor(const JobStart& start, const Job& job) const;
  void take_signals();
  void send(int signal);
  void suspend();
  JobEnd end_of(int number, const Job& job, bool by_signal, int code) const;
  void collect_calls(std::vector<JobEnd>& ends);
  void collect_teams(std::vector<JobEnd>& ends);

  RunTeam run_team_;
  std::vector<std::string> gpus_;
  const launch::HeldSignals& signals_;
  std::filesystem::path engine_path_;
  std::optional<launch::WarmEngine> engine_;  // from the first job that it serves
  int signal_file_;
  std::map<int, Job> jobs_;
  int last_job_ = 0;
  int stop_signals_ = 0;
  int interrupts_ = 0;
  bool is_interrupted_ = false;
};

}  // namespace knead::sweep
