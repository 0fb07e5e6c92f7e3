#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "runner/rendezvous/guests.h"
#include "runner/rendezvous/socket.h"
#include "runner/rendezvous/texts.h"
#include "runner/rendezvous/ticket.h"

namespace knead::rendezvous {

/// Is the rendezvous of a run, on rank 0: listens, lets the other ranks join and keeps the texts
/// that they exchange. Whoever does not introduce itself as a rank of this run is disconnected.
///
/// A thread of its own serves the connections, from the construction to the destruction.
class Host final : public Texts {
 public:
  /// Listens at `endpoint`, on that address alone. Throws knead::Error (Exit::not_usable) if that
  /// is not possible.
  Host(const Endpoint& endpoint, const Ticket& ticket);
  ~Host() override;

  /// Returns where it listens: an address and a port.
  Endpoint endpoint() const { return endpoint_; }

  /// Returns when all other ranks have joined. A rank that leaves before the last one has joined
  /// may join again. Throws knead::Error (Exit::rank_lost), which names ranks that are missing, if
  /// the deadline comes first.
  void wait_for_ranks(Deadline deadline);

  void set(const std::string& key, const std::string& value) override;
  std::string get(const std::string& key, Deadline deadline) override;
  std::string address() const override { return endpoint_.host; }

 private:
  void serve();
  bool is_ended();
  void note(const Guests& guests);
  void wake() const;

  Ticket ticket_;
  Descriptor listener_;
  Endpoint endpoint_;
  Descriptor wake_;  // an eventfd: makes the thread look at what other threads have changed

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::string> texts_;  // with mutex_, as what follows
  std::set<int> joined_;
  std::string refused_;       // why the last rank of this run was refused
  bool is_complete_ = false;  // all ranks have joined at some time
  int lost_ = 0;              // a rank that has left after that; 0: none
  bool is_ended_ = false;

  std::thread thread_;  // last: it uses all others
};

}  // namespace knead::rendezvous
