#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/cuda/nccl_table.h"
#include "runner/engine/parallel/collectives.h"

namespace knead::engine::parallel {

/// Says which of the ranks of a run this process is, and where the ranks meet.
struct Membership {
  /// Counts from 0.
  int rank = 0;
  int ranks = 1;
  /// Counts the ranks of this machine from 0.
  int local_rank = 0;
  int local_ranks = 1;
  /// Says where the ranks meet: the path of a file that all ranks of the machine can open and lock;
  /// "tcp://HOST:PORT", where rank 0 listens; or "torchrun://HOST:PORT", the store of torchrun.
  /// Empty for a single rank.
  std::string rendezvous{};
  /// Names the run and its start: over a network, ranks of others are refused.
  std::string start{};
  /// Holds the secret that ranks which meet over a network must know; empty: none is asked for.
  std::string token{};
  /// Bounds, in seconds, how long an operation waits for the other ranks.
  double timeout = 600;
  /// Carries tensors that are not in host memory; null: Gloo does, through host memory. Unused if
  /// the process computes on the CPU.
  const cuda::NcclTable* nccl = nullptr;
};

class Gloo;
class Neighbours;
class SharedSums;

/// Connects the ranks of a run, the processes that train one model together. Every rank must call
/// the same operations in the same order; an operation ends when all ranks have called it. A group
/// of one rank does nothing and returns what it is given. Used by one thread.
///
/// An operation throws knead::Error (Exit::lost_another, Exit::rank_lost) if another rank ended or
/// did not answer within the timeout. The group cannot be used after that.
class Group {
 public:
  /// A sum over ranks that goes on in the background. Holds the tensor.
  class Sum;

  /// Makes a group of this process alone.
  Group();
  /// Connects the ranks, by shared memory too if they run on one machine, and their devices if they
  /// compute on some. Returns when all of them are connected. Throws knead::Error as the operations
  /// do, and with Exit::not_usable if this process cannot be one of the ranks.
  explicit Group(const Membership& membership);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  bool is_alone() const { return ranks_ == 1; }
  /// Returns whether this is rank 0, which alone writes files and speaks to the user.
  bool is_first() const { return rank_ == 0; }

  /// Returns whether all ranks run on one machine and share memory.
  bool shares_memory() const { return sums_ != nullptr; }

  /// Bounds what ranks of one machine that share host memory sum at once.
  static constexpr std::uint64_t kMostInMemory = 4'000'000;

  /// Returns how many bytes are best summed at once, at most `bytes`. It is less if ranks share
  /// memory: a sum begins without a message there, and more of it is hidden behind backward.
  std::uint64_t most_at_once(std::uint64_t bytes) const;

  /// Makes a flat tensor of zeros of which begin_sum() is fastest: ranks of one machine share its
  /// memory if it is that of the host. All ranks must call it, with the same arguments.
  at::Tensor make_summand(std::int64_t count, const at::TensorOptions& options);

  /// Returns whether make_summand() has made a tensor in memory that ranks share.
  bool is_shared(const at::Tensor& tensor) const;

  /// Begins to replace a contiguous tensor by its sum over ranks, in the background. It is in host
  /// memory or on the device of the process. All ranks get the same bits. The tensor must not be
  /// used before wait().
  Sum begin_sum(const at::Tensor& tensor);

  /// Begins to add, to a flat tensor of each rank, the sum over ranks of the range of its shard;
  /// see Collectives::begin_sum_into(). `tensor` must not be written before wait().
  Sum begin_sum_into(const at::Tensor& tensor, const at::Tensor& target,
                     const std::vector<plan::Range>& cut);

  /// Begins to give this rank the ranges of all shards; see Collectives::begin_gather(). Must not
  /// be called for a single rank.
  std::unique_ptr<Gathering> begin_gather(const at::Tensor& tensor,
                                          const std::vector<plan::Range>& cut);

  /// Replaces each number by its sum over ranks. All ranks get the same bits.
  void sum(std::span<double> numbers);

  /// Returns the value of rank 0.
  double of_first(double value);
  bool of_first(bool value) { return of_first(value ? 1.0 : 0.0) != 0; }
  std::string of_first(const std::string& text);

  /// Returns whether any rank passes true.
  bool any(bool value);

  /// Overwrites a contiguous tensor, in host memory or on the device, by that of rank 0. All ranks
  /// must pass the same shape and dtype, in the same kind of memory.
  void copy_from_first(const at::Tensor& tensor);

  /// Returns the texts of all ranks by rank. They may contain any bytes.
  std::vector<std::string> gather(const std::string& text);

 private:
  Collectives& carrier_of(const at::Tensor& tensor);

  int rank_ = 0;
  int ranks_ = 1;
  std::unique_ptr<Gloo> gloo_;              // null if the process is alone
  std::unique_ptr<Neighbours> neighbours_;  // null unless all ranks run on one machine
  std::unique_ptr<SharedSums> sums_;        // as well
  std::unique_ptr<Collectives> device_;     // null if the process is alone or computes on the CPU
};

class Group::Sum {
 public:
  Sum() = default;
  /// Waits until the tensor holds the sum. Throws as the operations of Group.
  void wait();

 private:
  friend class Group;
  explicit Sum(std::unique_ptr<Running> running) : running_(std::move(running)) {}
  std::unique_ptr<Running> running_;
};

}  // namespace knead::engine::parallel
