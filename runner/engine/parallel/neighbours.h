#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runner/engine/parallel/bell.h"
#include "runner/engine/parallel/shared_memory.h"

namespace knead::engine::parallel {

struct Membership;

/// Connects ranks that run on one machine by memory that they share. A message takes some
/// microseconds there, and a tensor need not be sent at all. Every rank must call the same
/// operations in the same order. Used by one thread, except wait_until().
///
/// An operation throws knead::Error (Exit::lost_another, Exit::rank_lost) if another rank ended or
/// did not answer within the timeout.
class Neighbours {
 public:
  /// Sends a text to all ranks and returns those of all, by rank, while no memory is shared yet.
  using Gather = std::function<std::vector<std::string>(const std::string& text)>;

  /// Connects the ranks. Returns null, on all of them, if they are on several machines or their
  /// system does not let them share memory.
  static std::unique_ptr<Neighbours> meet(const Membership& membership, const Gather& gather);

  ~Neighbours();
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  /// Replaces each number by its sum over ranks. All ranks get the same bits.
  void sum(std::span<double> numbers);

  /// Overwrites bytes by those of rank 0.
  void copy_from_first(std::span<std::byte> bytes);

  /// Returns the texts of all ranks by rank.
  std::vector<std::string> gather(const std::string& text);

  /// Extends the shared memory by zeros. Returns where this rank sees them; null, on all ranks, if
  /// that is not possible.
  std::shared_ptr<std::byte> extend(std::size_t bytes);

  /// Returns when `is_ready` is true, which must stay so. `bell` is rung when it may have become
  /// true.
  void wait_until(Bell& bell, const std::function<bool()>& is_ready) const;

 private:
  struct Shared;
  struct Place;
  struct Process;  // another rank

  explicit Neighbours(const Membership& membership);
  bool share(const std::vector<std::string>& introductions);
  std::string introduce_self();
  void exchange(std::span<const std::byte> own);
  std::span<std::byte> letter_of(int rank) const;
  bool is_any_gone() const;

  int rank_;
  int ranks_;
  double timeout_;
  SharedMemory memory_;
  std::size_t letters_ = 0;           // where the letters begin
  std::size_t bytes_ = 0;             // of the memory, which all share
  std::shared_ptr<std::byte> begin_;  // of the part that is mapped first
  Shared* shared_ = nullptr;          // in it
  Place* places_ = nullptr;           // in it, by rank
  std::vector<Process> others_;
  std::uint64_t round_ = 0;  // messages that all have exchanged
};

}  // namespace knead::engine::parallel
