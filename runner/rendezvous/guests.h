#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <poll.h>

#include "runner/rendezvous/message.h"
#include "runner/rendezvous/socket.h"
#include "runner/rendezvous/texts.h"
#include "runner/rendezvous/ticket.h"

namespace knead::rendezvous {

/// Holds the texts of a rendezvous for its guests. Called by the thread that serves them.
struct Shelf {
  std::function<void(const std::string& key, const std::string& value)> put;
  /// Returns std::nullopt if nobody has written the text yet.
  std::function<std::optional<std::string>(const std::string& key)> find;
};

/// Serves the connections of a rendezvous: ranks, and strangers who have not introduced themselves.
/// Never waits. Used by one thread.
class Guests {
 public:
  Guests(const Ticket& host, Shelf shelf) : host_(host), shelf_(std::move(shelf)) {}

  /// Adds a connection, which must introduce itself within a few seconds. Of too many strangers the
  /// one that has waited longest is disconnected.
  void add(Descriptor socket);

  /// Appends what poll() should wait for, one for each guest.
  void wanted(std::vector<pollfd>& out) const;

  /// Receives, answers and sends what is possible now. Disconnects guests that send what is no
  /// message, and strangers who are late. `polled` is what wanted() appended last, after poll().
  void serve(std::span<const pollfd> polled);

  /// Returns the ranks that have joined and are connected.
  std::set<int> ranks() const;

  /// Returns why the last rank was refused that belongs to this run, in words; empty if none was.
  const std::string& last_refusal() const { return last_refusal_; }

 private:
  struct Guest {
    Descriptor socket;
    std::string nonce;
    Deadline introduce_by;
    Inbox inbox{};
    std::string outbox{};
    int rank = 0;                       // 0: not introduced yet; rank 0 is the host
    std::optional<std::string> asks{};  // the key of a text that nobody has written yet
    bool is_leaving = false;            // disconnected when the outbox is sent
  };

  /// Each returns false if the guest must be disconnected.
  bool serve(Guest& guest);
  bool take(Guest& guest, const std::vector<std::string>& message);
  bool introduce(Guest& guest, const std::vector<std::string>& message);
  void answer(Guest& guest) const;

  Ticket host_;
  Shelf shelf_;
  std::vector<Guest> guests_;
  std::string last_refusal_;
};

}  // namespace knead::rendezvous
