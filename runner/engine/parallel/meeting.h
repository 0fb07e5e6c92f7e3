#pragma once

#include <string>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "runner/engine/parallel/group.h"

namespace knead::engine::parallel {

/// Holds what ranks need to connect to each other.
struct Meeting {
  /// Takes texts of each rank to all others.
  c10::intrusive_ptr<c10d::Store> store;
  /// The address of this machine at which the other ranks reach this one.
  std::string address;
};

/// Brings the ranks of a run together at the rendezvous of `membership`. Ranks that meet over a
/// network prove to each other that they belong to one run and know its token. Throws knead::Error:
/// Exit::rank_lost if some are not there within the timeout, Exit::not_usable if this rank cannot
/// be one of them.
Meeting meet(const Membership& membership);

/// Ends what serves a meeting over a network, once all ranks are connected: nothing listens for
/// ranks any more, and the store must not be used.
void leave(Meeting& meeting);

}  // namespace knead::engine::parallel
