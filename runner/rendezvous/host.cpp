#include "runner/rendezvous/host.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::rendezvous {
namespace {

/// Bounds how long the thread waits without looking for strangers who are late, in milliseconds.
constexpr int kLongestWait = 1000;

/// Limits how many missing ranks a message names.
constexpr std::size_t kMostNamed = 8;

std::string in_words(const std::vector<int>& ranks) {
  if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
  std::string text = "the ranks";
  for (std::size_t i = 0; i < std::min(ranks.size(), kMostNamed); ++i)
    text += fmt::format("{} {}", i == 0 ? "" : ",", ranks[i]);
  const std::size_t others = ranks.size() - std::min(ranks.size(), kMostNamed);
  return others == 0 ? text : fmt::format("{} and {} more", text, others);
}

}  // namespace

Host::Host(const Endpoint& endpoint, const Ticket& ticket)
    : ticket_(ticket),
      listener_(listen_at(endpoint)),
      endpoint_(own_end(listener_)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { serve(); }) {}

Host::~Host() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  wake();
  thread_.join();
}

void Host::wait_for_ranks(Deadline deadline) {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  if (changed_.wait_until(lock, deadline, [this] { return is_complete_; })) return;
  std::vector<int> missing;
  for (int rank = 1; rank < ticket_.ranks; ++rank)
    if (!joined_.contains(rank)) missing.push_back(rank);
  throw Error(fmt::format("rank 0 has waited {:.0f} s at {} for {} of {}",
                          std::chrono::duration<double>(deadline - begin).count(), endpoint_.text(),
                          in_words(missing), ticket_.ranks),
              !refused_.empty() ? refused_
              : is_loopback(endpoint_.host)
                  ? "what these ranks have said last tells why; other machines than this do not "
                    "reach the address"
                  : "what these ranks have said last tells why; distributed.timeout sets how long "
                    "ranks wait for each other",
              Exit::rank_lost);
}

void Host::set(const std::string& key, const std::string& value) {
  {
    const std::lock_guard lock(mutex_);
    texts_[key] = value;
  }
  changed_.notify_all();
  wake();
}

std::string Host::get(const std::string& key, Deadline deadline) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline, [&] { return texts_.contains(key) || lost_ != 0; });
  if (const auto found = texts_.find(key); found != texts_.end()) return found->second;
  throw Error(lost_ == 0 ? "rank 0 has waited in vain for the other ranks"
                         : fmt::format("rank {} has left while the ranks connected", lost_),
              "the rank that ended first says why", Exit::rank_lost);
}

// --- the thread ----------------------------------------------------------------------------------

void Host::serve() {
  Guests guests(
      ticket_,
      {.put = [this](const std::string& key, const std::string& value) { set(key, value); },
       .find = [this](const std::string& key) -> std::optional<std::string> {
         const std::lock_guard lock(mutex_);
         const auto found = texts_.find(key);
         return found == texts_.end() ? std::nullopt : std::optional(found->second);
       }});
  std::vector<pollfd> wanted;
  while (!is_ended()) {
    wanted = {{listener_.number(), POLLIN, 0}, {wake_.number(), POLLIN, 0}};
    guests.wanted(wanted);
    poll(wanted.data(), wanted.size(), kLongestWait);
    std::uint64_t count;
    [[maybe_unused]] const ssize_t read_count = read(wake_.number(), &count, sizeof count);
    guests.serve(std::span<const pollfd>(wanted).subspan(2));
    for (Descriptor guest = accept_from(listener_); guest.is_open(); guest = accept_from(listener_))
      guests.add(std::move(guest));
    note(guests);
  }
}

bool Host::is_ended() {
  const std::lock_guard lock(mutex_);
  return is_ended_ || lost_ != 0;
}

/// Notes the ranks that are connected. The loss of one after all have joined ends the rendezvous,
/// so that the others do not wait for it.
void Host::note(const Guests& guests) {
  std::set<int> joined = guests.ranks();
  const std::lock_guard lock(mutex_);
  refused_ = guests.last_refusal();
  if (joined == joined_) return;
  for (const int rank : joined_)
    if (is_complete_ && !joined.contains(rank)) lost_ = rank;
  joined_ = std::move(joined);
  is_complete_ = is_complete_ || joined_.size() + 1 == static_cast<std::size_t>(ticket_.ranks);
  changed_.notify_all();
}

void Host::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t count = write(wake_.number(), &one, sizeof one);
}

}  // namespace knead::rendezvous
