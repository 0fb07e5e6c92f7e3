#include "runner/engine/parallel/neighbours.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>

#include <fmt/ranges.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "runner/engine/parallel/group.h"
#include "runner/engine/parallel/lost_rank.h"

namespace knead::engine::parallel {
namespace {

using Clock = std::chrono::steady_clock;

/// A message has at most so many bytes: longer ones are sent in parts.
constexpr std::size_t kLetter = 65536;
constexpr std::size_t kPage = 4096;
/// About 10 µs. Ranks mostly come at nearly the same time, and to sleep and wake takes longer.
constexpr int kSpins = 400;
/// How often a rank that waits looks whether the others are there.
constexpr std::chrono::milliseconds kLook{20};

using Token = std::array<char, 32>;

std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// Returns what processes have in common that see the same processes and the same network; empty if
/// the system does not tell. Ranks in other networks are other machines, as for what they send.
std::string this_machine_name() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string name;
  std::getline(file, name);
  for (const char* const space : {"/proc/self/ns/pid", "/proc/self/ns/net"}) {
    std::array<char, 64> link{};
    if (readlink(space, link.data(), link.size() - 1) < 0) return "";
    name += link.data();
  }
  return name;
}

/// Tells the core that this thread only waits, so that it takes less from another one.
void give_way() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

/// Returns random letters; empty if the system has none.
std::string new_token() {
  std::array<unsigned char, sizeof(Token) / 2> random{};
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) return "";
  return fmt::format("{:02x}", fmt::join(random, ""));
}

/// Returns a descriptor that can be read when the process has ended; -1 if there is none.
int watch_process(pid_t process) { return static_cast<int>(syscall(SYS_pidfd_open, process, 0)); }

}  // namespace

/// Lies at the beginning of the memory. Zeros are its initial state, except the token.
struct Neighbours::Shared {
  Token token;  // tells a file of another process from this one
  Bell bell;    // rung for each message
};

/// Lies behind it, for each rank. The letters of the ranks follow, of which each has two.
struct Neighbours::Place {
  alignas(64) std::atomic<std::uint64_t> round;  // messages that the rank has written
  std::atomic<bool> is_gone;
};

struct Neighbours::Process {
  int rank;
  int descriptor;  // see watch_process(); -1 if it is this process, as in tests
};

Neighbours::Neighbours(const Membership& membership)
    : rank_(membership.rank), ranks_(membership.ranks), timeout_(membership.timeout) {
  const auto count = static_cast<std::size_t>(ranks_);
  letters_ = whole_pages(sizeof(Shared) + count * sizeof(Place));
  bytes_ = letters_ + 2 * kLetter * count;
}

Neighbours::~Neighbours() {
  if (shared_) {
    places_[rank_].is_gone = true;
    shared_->bell.ring();
  }
  for (const Process& other : others_)
    if (other.descriptor >= 0) close(other.descriptor);
}

std::unique_ptr<Neighbours> Neighbours::meet(const Membership& membership, const Gather& gather) {
  std::unique_ptr<Neighbours> all(new Neighbours(membership));
  const bool is_sharing = all->share(gather(all->introduce_self()));
  const std::vector<std::string> answers = gather(is_sharing ? "shares" : "");
  const bool do_all_share = std::find(answers.begin(), answers.end(), "") == answers.end();
  return do_all_share ? std::move(all) : nullptr;
}

/// Returns what the others must know to find this process, and the memory if rank 0 has made it.
std::string Neighbours::introduce_self() {
  nlohmann::json introduction{
      {"machine", this_machine_name()}, {"process", getpid()}, {"memory", ""}, {"token", ""}};
  if (rank_ == 0) {
    const std::string token = new_token();
    memory_ = SharedMemory::make();
    if (memory_.is_open() && memory_.grow(bytes_)) begin_ = memory_.map(0, bytes_);
    if (begin_ && token.size() == sizeof(Token)) {
      std::memcpy(begin_.get(), token.data(), token.size());
      introduction["memory"] = memory_.address();
      introduction["token"] = token;
    }
  }
  return introduction.dump();
}

/// Takes the memory of rank 0 and watches the other ranks. Returns whether that was possible.
bool Neighbours::share(const std::vector<std::string>& introductions) {
  const auto first = nlohmann::json::parse(introductions[0]);
  const std::string machine = this_machine_name();
  const auto token = first.at("token").get<std::string>();
  if (machine.empty() || token.empty()) return false;
  for (int rank = 0; rank < ranks_; ++rank) {
    const auto other = nlohmann::json::parse(introductions[static_cast<std::size_t>(rank)]);
    if (other.at("machine") != machine) return false;
    const auto process = other.at("process").get<pid_t>();
    if (rank == rank_) continue;
    others_.push_back({rank, process == getpid() ? -1 : watch_process(process)});
    if (process != getpid() && others_.back().descriptor < 0) return false;
  }
  if (rank_ != 0) {
    memory_ = SharedMemory::open(first.at("memory").get<std::string>());
    if (memory_.is_open()) begin_ = memory_.map(0, bytes_);
  }
  // Another process may have taken the number of one that has ended.
  if (!begin_ || std::memcmp(begin_.get(), token.data(), sizeof(Token)) != 0) return false;
  shared_ = reinterpret_cast<Shared*>(begin_.get());
  places_ = reinterpret_cast<Place*>(begin_.get() + sizeof(Shared));
  return true;
}

// --- messages ------------------------------------------------------------------------------------

/// Returns the memory in which a rank writes the message of this round. The one of the next round
/// is another, so that nobody waits until all have read: who writes a message has read those of the
/// round before.
std::span<std::byte> Neighbours::letter_of(int rank) const {
  const auto place = 2 * static_cast<std::size_t>(rank) + round_ % 2;
  return {begin_.get() + letters_ + place * kLetter, kLetter};
}

/// Writes a message of at most kLetter bytes. Returns when all ranks have written theirs, which
/// letter_of() holds until the next call.
void Neighbours::exchange(std::span<const std::byte> own) {
  ++round_;
  if (!own.empty()) std::memcpy(letter_of(rank_).data(), own.data(), own.size());
  places_[rank_].round.store(round_, std::memory_order_release);
  shared_->bell.ring();
  wait_until(shared_->bell, [this] {
    for (const Process& other : others_)
      if (places_[other.rank].round.load(std::memory_order_acquire) < round_) return false;
    return true;
  });
}

void Neighbours::sum(std::span<double> numbers) {
  constexpr std::size_t kMost = kLetter / sizeof(double);
  for (; !numbers.empty(); numbers = numbers.subspan(std::min(kMost, numbers.size()))) {
    const auto part = numbers.first(std::min(kMost, numbers.size()));
    exchange(std::as_bytes(part));
    for (int rank = 0; rank < ranks_; ++rank) {  // in the same order on all ranks
      const auto* const theirs = reinterpret_cast<const double*>(letter_of(rank).data());
      for (std::size_t i = 0; i < part.size(); ++i)
        part[i] = rank == 0 ? theirs[i] : part[i] + theirs[i];
    }
  }
}

void Neighbours::copy_from_first(std::span<std::byte> bytes) {
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(kLetter, bytes.size()))) {
    const auto part = bytes.first(std::min(kLetter, bytes.size()));
    exchange(rank_ == 0 ? part : std::span<std::byte>());
    if (rank_ != 0) std::memcpy(part.data(), letter_of(0).data(), part.size());
  }
}

std::vector<std::string> Neighbours::gather(const std::string& text) {
  std::vector<double> sizes(static_cast<std::size_t>(ranks_), 0);
  sizes[static_cast<std::size_t>(rank_)] = static_cast<double>(text.size());
  sum(sizes);
  const auto longest = static_cast<std::size_t>(*std::max_element(sizes.begin(), sizes.end()));
  std::vector<std::string> texts(sizes.size());
  for (std::size_t begin = 0; begin < longest; begin += kLetter) {
    const std::string_view own =
        std::string_view(text).substr(std::min(begin, text.size()), kLetter);
    exchange(std::as_bytes(std::span(own)));
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
      const auto rest = static_cast<std::size_t>(sizes[rank]) - texts[rank].size();
      texts[rank].append(reinterpret_cast<const char*>(letter_of(static_cast<int>(rank)).data()),
                         std::min(rest, kLetter));
    }
  }
  return texts;
}

std::shared_ptr<std::byte> Neighbours::extend(std::size_t bytes) {
  const std::size_t begin = bytes_;
  const std::size_t size = whole_pages(bytes);
  bytes_ += size;
  std::array<double, 1> failed{rank_ == 0 && !memory_.grow(bytes_) ? 1.0 : 0.0};
  sum(failed);  // also makes the others wait for the memory
  if (failed[0] != 0) return nullptr;
  auto mapped = memory_.map(begin, size);
  failed = {mapped ? 0.0 : 1.0};
  sum(failed);
  return failed[0] == 0 ? mapped : nullptr;
}

// --- waiting -------------------------------------------------------------------------------------

bool Neighbours::is_any_gone() const {
  std::vector<pollfd> watched;
  for (const Process& other : others_) {
    if (places_[other.rank].is_gone) return true;
    watched.push_back({.fd = other.descriptor, .events = POLLIN, .revents = 0});
  }
  return poll(watched.data(), watched.size(), 0) > 0;
}

void Neighbours::wait_until(Bell& bell, const std::function<bool()>& is_ready) const {
  for (int i = 0; i < kSpins; ++i) {
    if (is_ready()) return;
    give_way();
  }
  const auto give_up = Clock::now() + std::chrono::duration<double>(timeout_);
  for (;;) {
    const std::uint32_t count = bell.count();
    // In this order: what a rank did before it ended counts.
    const bool is_lost = is_any_gone();
    if (is_ready()) return;
    if (is_lost) throw lost_connection(rank_);
    if (Clock::now() >= give_up) throw waited_too_long(rank_, timeout_);
    bell.sleep(count, kLook);
  }
}

}  // namespace knead::engine::parallel
