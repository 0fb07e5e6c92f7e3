#include "runner/launch/ranks.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "runner/files/reading.h"
#include "runner/launch/last_lines.h"

namespace knead::launch {
namespace {

/// The bytes of a log that are kept: more than last_lines() shows, because escape sequences and
/// blank lines do not count.
constexpr std::size_t kBytesOfLog = 16384;

/// Bounds the time for which a destructor waits for ranks that it has killed.
constexpr std::chrono::seconds kWaitForKilled{5};

Error cannot_tell_end(int rank, int error) {
  return Error(
      fmt::format("the system does not tell how rank {} ended: {}", rank, std::strerror(error)),
      "start again; a run goes on from its last checkpoint", Exit::rank_lost);
}

/// Opens standard streams that the caller of this program has closed, so that a file of the ranks
/// does not take their numbers.
void open_missing_streams() {
  for (int stream = 0; stream < 3; ++stream)
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDWR);  // takes the lowest free number
}

/// Makes a file of the steps that ranks complete and of the name that they read, and names it in
/// the environment.
MemoryFile file_of_steps(int count) {
  open_missing_streams();
  MemoryFile steps("knead-steps");
  steps.hold_numbers(count, files::kMostOfReading);
  setenv("KNEAD_STEPS", steps.path().c_str(), /*overwrite=*/1);
  return steps;
}

/// Looks for the end of a process without collecting it: as long as it is not collected, no other
/// process or group gets its number. Returns whether it has ended.
bool has_ended(pid_t process, int rank, siginfo_t& end) {
  end = {};
  int result;
  do {
    result = waitid(P_PID, static_cast<id_t>(process), &end, WEXITED | WNOHANG | WNOWAIT);
  } while (result < 0 && errno == EINTR);
  if (result < 0) throw cannot_tell_end(rank, errno);
  return end.si_pid == process;
}

/// Collects a process that has ended, and kills what it has left in its group.
void collect_process(pid_t process) {
  kill(-process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

std::vector<std::string> arguments_of_rank(const std::vector<std::string>& arguments,
                                           const RankEnvironment& rank) {
  std::vector<std::string> out = arguments;
  if (rank.ranks == 1) return out;
  std::vector<std::string> options{fmt::format("--rank={}", rank.rank),
                                   fmt::format("--ranks={}", rank.ranks),
                                   fmt::format("--local-rank={}", rank.local_rank),
                                   fmt::format("--local-ranks={}", rank.local_ranks),
                                   fmt::format("--rendezvous={}", rank.rendezvous)};
  if (!rank.run.empty()) options.push_back(fmt::format("--start={}", rank.run));
  out.insert(std::find(out.begin(), out.end(), "--"), options.begin(), options.end());
  return out;
}

Ranks::Ranks(const Command& command, int count, const HeldSignals& signals)
    : steps_(file_of_steps(count)) {
  ranks_.reserve(static_cast<std::size_t>(count));
  if (count == 1) {
    ranks_.push_back({start_rank(command, {.steps = steps_.descriptor()}, signals)});
    return;
  }
  const MemoryFile rendezvous("knead-rendezvous");
  for (int rank = 1; rank < count; ++rank) logs_.emplace_back(fmt::format("knead-rank-{}", rank));
  try {
    for (int rank = 0; rank < count; ++rank) {
      RankFiles files{.rendezvous = rendezvous.descriptor(), .steps = steps_.descriptor()};
      if (rank > 0) files.log = logs_[static_cast<std::size_t>(rank - 1)].descriptor();
      const RankEnvironment place{.launcher = "",
                                  .rank = rank,
                                  .ranks = count,
                                  .local_rank = rank,
                                  .local_ranks = count,
                                  .rendezvous = rendezvous.path()};
      const Command words{command.program, arguments_of_rank(command.arguments, place)};
      ranks_.push_back({start_rank(words, files, signals)});
    }
  } catch (const Error&) {
    end_all();  // the destructor does not run
    throw;
  }
}

Ranks::~Ranks() { end_all(); }

void Ranks::end_all() {
  send(SIGKILL);
  const auto give_up = std::chrono::steady_clock::now() + kWaitForKilled;
  while (running() > 0 && std::chrono::steady_clock::now() < give_up) {
    for (Rank& rank : ranks_) {
      const pid_t ended = rank.is_collected ? 0 : waitpid(rank.process, nullptr, WNOHANG);
      // An error says that there is nothing to collect.
      if (ended == rank.process || (ended < 0 && errno != EINTR)) rank.is_collected = true;
    }
    if (running() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

int Ranks::running() const {
  return static_cast<int>(std::count_if(ranks_.begin(), ranks_.end(),
                                        [](const Rank& rank) { return !rank.is_collected; }));
}

std::vector<RankEnd> Ranks::collect() {
  std::vector<RankEnd> ends;
  for (int number = 0; number < count(); ++number) {
    Rank& rank = ranks_[static_cast<std::size_t>(number)];
    siginfo_t end;
    if (rank.is_collected || !has_ended(rank.process, number, end)) continue;
    collect_process(rank.process);
    rank.is_collected = true;
    ends.push_back(end_of_rank(number, end.si_code != CLD_EXITED, end.si_status));
  }
  return ends;
}

std::vector<RankEnd> Ranks::abandon() {
  std::vector<RankEnd> ends;
  for (int number = 0; number < count(); ++number) {
    Rank& rank = ranks_[static_cast<std::size_t>(number)];
    if (rank.is_collected) continue;
    rank.is_collected = true;
    ends.push_back(end_of_rank(number, /*by_signal=*/true, SIGKILL));
  }
  return ends;
}

void Ranks::send(int signal) const {
  for (const Rank& rank : ranks_)
    if (!rank.is_collected) kill(-rank.process, signal);
}

void Ranks::trim_logs() const {
  for (const MemoryFile& log : logs_) log.free_all_but(kBytesOfLog);
}

RankEnd Ranks::end_of_rank(int rank, bool by_signal, int number) const {
  RankEnd end;
  end.rank = rank;
  end.by_signal = by_signal;
  end.number = number;
  end.step = steps_.number_at(rank);
  end.reading = steps_.end(files::kMostOfReading).c_str();  // zeros follow the name
  if (rank > 0)
    end.last_lines = last_lines(logs_[static_cast<std::size_t>(rank - 1)].end(kBytesOfLog));
  return end;
}

}  // namespace knead::launch
