#include "runner/rendezvous/guests.h"

#include <algorithm>

#include "runner/rendezvous/introduction.h"

namespace knead::rendezvous {
namespace {

using Clock = std::chrono::steady_clock;

/// Bounds how long a stranger may stay.
constexpr std::chrono::seconds kTimeToIntroduce{10};

/// Bounds the strangers at one time; ranks that are turned away for them try again.
constexpr std::size_t kMostStrangers = 256;

/// Says why a process that belongs to this run was refused; null for others.
const char* in_words(Refusal reason) {
  switch (reason) {
    case Refusal::other_token:
      return "a process was refused that does not have the same KNEAD_TOKEN";
    case Refusal::other_ranks: return "a process was refused that counts another number of ranks";
    case Refusal::present:
      return "a process was refused that has the number of a rank which is there";
    default: return nullptr;
  }
}

}  // namespace

void Guests::add(Descriptor socket) {
  const auto is_stranger = [](const Guest& guest) { return guest.rank == 0; };
  const auto strangers = std::count_if(guests_.begin(), guests_.end(), is_stranger);
  if (static_cast<std::size_t>(strangers) >= kMostStrangers)
    guests_.erase(std::find_if(guests_.begin(), guests_.end(), is_stranger));  // oldest first
  Guest guest{.socket = std::move(socket),
              .nonce = new_nonce(),
              .introduce_by = Clock::now() + kTimeToIntroduce};
  guest.outbox = greeting(guest.nonce);
  guests_.push_back(std::move(guest));
}

void Guests::wanted(std::vector<pollfd>& out) const {
  for (const Guest& guest : guests_)
    out.push_back({guest.socket.number(),
                   static_cast<short>(guest.outbox.empty() ? POLLIN : POLLIN | POLLOUT), 0});
}

void Guests::serve(std::span<const pollfd> polled) {
  std::size_t next = 0;
  std::erase_if(guests_, [&](Guest& guest) {
    const bool is_ready = polled[next++].revents != 0;
    const bool is_waiting = guest.rank == 0 || guest.is_leaving || guest.asks;
    return (is_ready || is_waiting) && !serve(guest);
  });
}

std::set<int> Guests::ranks() const {
  std::set<int> ranks;
  for (const Guest& guest : guests_)
    if (guest.rank != 0) ranks.insert(guest.rank);
  return ranks;
}

bool Guests::serve(Guest& guest) {
  std::string bytes;
  if (!receive_some(guest.socket, bytes)) return false;
  guest.inbox.add(bytes);
  for (bool is_broken = false; !guest.is_leaving;) {
    const auto message =
        guest.inbox.take(guest.rank == 0 ? kLongestIntroduction : kLongestMessage, is_broken);
    if (is_broken) return false;
    if (!message) break;
    if (!take(guest, *message)) return false;
  }
  answer(guest);
  if (!send_some(guest.socket, guest.outbox)) return false;
  if (guest.is_leaving) return !guest.outbox.empty() && Clock::now() < guest.introduce_by;
  return guest.rank != 0 || Clock::now() < guest.introduce_by;
}

bool Guests::take(Guest& guest, const std::vector<std::string>& message) {
  if (guest.rank == 0) return introduce(guest, message);
  if (message.size() == 3 && message[0] == "set") {
    shelf_.put(message[1], message[2]);
    return true;
  }
  if (message.size() != 2 || message[0] != "get" || guest.asks) return false;
  guest.asks = message[1];
  return true;
}

bool Guests::introduce(Guest& guest, const std::vector<std::string>& message) {
  int rank = 0;
  Refusal reason = judge_introduction(message, host_, guest.nonce, rank);
  if (reason == Refusal::other_program) return false;
  if (reason == Refusal::none && ranks().contains(rank)) reason = Refusal::present;
  guest.is_leaving = reason != Refusal::none;
  if (!guest.is_leaving) guest.rank = rank;
  if (const char* const words = in_words(reason)) last_refusal_ = words;
  guest.outbox += guest.is_leaving ? refusal(reason) : welcome(message, host_, guest.nonce);
  return true;
}

/// Sends the text that a guest asks for, once it is there.
void Guests::answer(Guest& guest) const {
  if (!guest.asks) return;
  const auto value = shelf_.find(*guest.asks);
  if (!value) return;
  guest.outbox += message_of({"value", *value});
  guest.asks.reset();
}

}  // namespace knead::rendezvous
