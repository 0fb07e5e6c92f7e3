#include "runner/rendezvous/member.h"

#include <algorithm>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "runner/rendezvous/introduction.h"
#include "schema/document/error.h"

namespace knead::rendezvous {
namespace {

using Clock = std::chrono::steady_clock;

/// Bounds how long a rank waits for an answer to its introduction: another program may listen at
/// the port and say nothing.
constexpr std::chrono::seconds kWaitForAnswer{10};

constexpr std::chrono::milliseconds kFirstPause{20};
constexpr std::chrono::milliseconds kLongestPause{500};

/// Receives a message; std::nullopt if the connection ends, the deadline comes or it is none.
std::optional<Message> receive(const Descriptor& socket, Inbox& inbox, Deadline deadline) {
  for (;;) {
    bool is_broken = false;
    auto message = inbox.take(kLongestMessage, is_broken);
    if (message || is_broken) return message;
    std::string bytes;
    if (!wait_for(socket, /*to_write=*/false, deadline) || !receive_some(socket, bytes))
      return std::nullopt;
    inbox.add(bytes);
  }
}

[[noreturn]] void refuse(Refusal refusal, const Ticket& ticket, const Endpoint& host) {
  const std::string rank = fmt::format("rank 0 at {} refuses rank {}", host.text(), ticket.rank);
  switch (refusal) {
    case Refusal::other_token:
      throw Error(rank + ": they do not have the same token",
                  "give every rank the same KNEAD_TOKEN in its environment");
    case Refusal::other_ranks:
      throw Error(
          fmt::format("{}: it was started as one of {} ranks, rank 0 was not", rank, ticket.ranks),
          "start all ranks of a run with one command, or with one WORLD_SIZE");
    case Refusal::present:
      throw Error(rank + ": another process has joined as this rank",
                  "give every process a RANK of its own");
    default:
      throw Error(rank + ": it has another version of knead",
                  "install the same version of knead on all machines");
  }
}

/// Says what an attempt to join has come to.
struct Attempt {
  Descriptor socket{};
  Inbox inbox{};
  std::string why{};  // it failed, and may be repeated; empty: the rank has joined
};

Attempt try_to_join(const Endpoint& host, const Ticket& ticket, Deadline deadline) {
  Attempt attempt;
  attempt.socket = connect_to(host, deadline, attempt.why);
  if (!attempt.socket.is_open()) return attempt;
  const Deadline answer_by = std::min(deadline, Clock::now() + kWaitForAnswer);
  const auto greeting = receive(attempt.socket, attempt.inbox, answer_by);
  const std::string nonce_of_host = greeting ? nonce_in(*greeting) : "";
  attempt.why = "what listens there is not rank 0";
  if (nonce_of_host.empty()) return attempt;
  const std::string nonce = new_nonce();
  if (!send_all(attempt.socket, introduction(ticket, nonce_of_host, nonce), answer_by))
    return attempt;
  const auto answer = receive(attempt.socket, attempt.inbox, answer_by);
  if (!answer) return attempt;
  const Refusal refusal = refusal_in(*answer, ticket, nonce_of_host, nonce);
  attempt.why = refusal == Refusal::other_run ? "rank 0 of another run listens there" : "";
  if (refusal != Refusal::none && refusal != Refusal::other_run) refuse(refusal, ticket, host);
  return attempt;
}

}  // namespace

Member::Member(const Endpoint& host, const Ticket& ticket, Deadline deadline) : ticket_(ticket) {
  const auto begin = Clock::now();
  auto pause = kFirstPause;
  for (;;) {
    Attempt attempt = try_to_join(host, ticket, deadline);
    if (attempt.why.empty()) {
      socket_ = std::move(attempt.socket);
      inbox_ = std::move(attempt.inbox);
      return;
    }
    if (Clock::now() + pause >= deadline)
      throw Error(
          fmt::format("rank {} has waited {:.0f} s for rank 0 at {}: {}", ticket.rank,
                      std::chrono::duration<double>(deadline - begin).count(), host.text(),
                      attempt.why),
          "the first message of rank 0 says why it is not there; MASTER_ADDR and MASTER_PORT must "
          "name its machine and a port that this machine reaches",
          Exit::rank_lost);
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
}

void Member::set(const std::string& key, const std::string& value) {
  if (send_all(socket_, message_of({"set", key, value}), Clock::now() + kWaitForAnswer)) return;
  throw Error(fmt::format("rank {} has lost the connection to rank 0", ticket_.rank),
              "the rank that ended first says why", Exit::rank_lost);
}

std::string Member::get(const std::string& key, Deadline deadline) {
  std::optional<Message> answer;
  if (send_all(socket_, message_of({"get", key}), deadline))
    answer = receive(socket_, inbox_, deadline);
  if (answer && answer->size() == 2 && (*answer)[0] == "value") return (*answer)[1];
  throw Error(Clock::now() < deadline
                  ? fmt::format("rank {} has lost the connection to rank 0", ticket_.rank)
                  : fmt::format("rank {} has waited in vain for the other ranks", ticket_.rank),
              "the rank that ended first says why", Exit::rank_lost);
}

std::string Member::address() const { return own_end(socket_).host; }

}  // namespace knead::rendezvous
