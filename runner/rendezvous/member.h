#pragma once

#include "runner/rendezvous/message.h"
#include "runner/rendezvous/socket.h"
#include "runner/rendezvous/texts.h"
#include "runner/rendezvous/ticket.h"

namespace knead::rendezvous {

/// Connects a rank other than 0 with rank 0.
class Member final : public Texts {
 public:
  /// Joins at the endpoint where rank 0 listens. Tries again while nothing or another run listens
  /// there, or the name of the host has no address yet. Throws knead::Error: Exit::rank_lost if the
  /// deadline comes first, Exit::not_usable if rank 0 refuses this rank for good.
  Member(const Endpoint& host, const Ticket& ticket, Deadline deadline);

  void set(const std::string& key, const std::string& value) override;
  std::string get(const std::string& key, Deadline deadline) override;
  std::string address() const override;

 private:
  Ticket ticket_;
  Descriptor socket_;
  Inbox inbox_;
};

}  // namespace knead::rendezvous
