#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runner/data/sets/sets.h"
#include "runner/plan/epoch_order.h"
#include "runner/plan/windows.h"

namespace knead::data {

/// Describes the samples of one step, or those of a rank's share of it. Their values lie in memory
/// of the caller, at the slot of the batch, field by field in the order of `samples`.
struct Batch {
  /// Counts optimizer steps from 0, over all epochs.
  std::uint64_t step = 0;
  /// Tells which of the caller's memories holds the values; below slots().
  std::size_t slot = 0;
  /// Tells epoch, first position in the epoch and number of the samples of the share.
  plan::Window window;
  std::vector<std::uint64_t> samples;  // indices within the set, in their order in memory
};

/// Configures how batches are read ahead, and which part of each. Besides the share, it changes
/// speed and memory, and never the batches.
struct Reading {
  std::int64_t workers = 0;   // threads; 0: next() reads
  std::int64_t prefetch = 1;  // batches to read ahead
  std::string purpose = "";   // "validation", for the names of threads; empty for training
  plan::Share share{};        // the part of each window that is read
};

/// Reads the windows of a set one after another, ahead of the consumer. The content and order of
/// the batches depend only on the set, the windows and the epoch order, not on the threads.
///
/// The caller owns the memory of the values: the constructor asks for it once for each slot and
/// field, and there are prefetch + 1 slots, so that one batch is in use while the others are
/// filled. Each call of next() returns one batch and takes back the one before. Reader threads take
/// steps in turn; each reads its steps with an epoch order of its own. A step that fails does not
/// stop the others: next() throws when it reaches that step.
class Batches {
 public:
  /// Returns the memory for a field (its index in set.fields()) of a slot, with room for the
  /// samples of the largest window. Called by the constructor, for each slot and field before
  /// anything is read; the memory must outlive the Batches.
  using Memory = std::function<std::byte*(std::size_t slot, std::size_t field)>;

  /// Starts reading the steps [first, end) with the fields `fields` (indices in set.fields()).
  /// Borrows the set, which must outlive this object; copies windows and order. With workers == 0
  /// no thread is started and there is one slot.
  Batches(const Set& set, const std::vector<std::size_t>& fields, plan::Windows windows,
          plan::EpochOrder order, std::uint64_t first, std::uint64_t end, Reading reading,
          const Memory& memory);
  /// Stops the threads and waits for them; a thread finishes the step that it reads.
  ~Batches();
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  /// Returns the batch of the next step and frees the memory of the one before. The reference and
  /// the values are valid until the next call. Waits until the batch is read, or reads it itself if
  /// there are no workers. Rethrows the exception that reading the batch threw; that step then
  /// remains the next one. Called by one thread, at most once for each of the steps [first, end).
  const Batch& next();

  /// Returns the number of batches that lie in memory at the same time: prefetch + 1, or 1 without
  /// workers.
  std::size_t slots() const { return slots_.size(); }

  /// Returns the seconds that next() has spent waiting or reading since construction. Called by the
  /// thread that calls next().
  double waited() const { return waited_; }

 private:
  /// Holds a batch and the state of reading it.
  struct Slot {
    Batch batch;
    std::vector<std::byte*> memory;        // by index in fields_
    std::vector<std::uint64_t> rows;       // rows of the source
    std::vector<plan::Turn> turns;         // turns of these rows, in a mix
    std::exception_ptr failure;            // exception thrown while reading
    std::atomic<std::uint64_t> filled{0};  // number of the step in the slot, plus one
  };

  /// Reads a step into its slot.
  void fill(std::uint64_t step, plan::EpochOrder& order);
  /// Runs in a reader thread: reads steps until the last one or until the destructor stops it.
  /// `order`: a copy of its own.
  void read_ahead(plan::EpochOrder order);
  /// Waits until the slot of a step is free. Returns false if the object is being destroyed.
  bool wait_for_room(std::uint64_t step);
  /// Waits until a reader has filled the slot of step current_.
  void wait_for_batch(const Slot& slot);
  /// Frees the slot of the batch that next() returned before, and wakes sleeping readers if it is
  /// worth it.
  void release();

  const Set& set_;
  std::vector<std::size_t> fields_;  // indices in set_.fields()
  plan::Windows windows_;
  plan::EpochOrder order_;  // used by the thread that calls next()
  plan::Share share_;
  std::uint64_t end_;
  std::vector<Slot> slots_;
  double waited_ = 0;

  // Threads sleep under the mutex and are woken only if they sleep, because a step may be shorter
  // than waking a thread.
  std::atomic<std::uint64_t> next_step_;  // next step that a thread takes
  std::atomic<std::uint64_t> consumed_;   // steps below are consumed, their memory is free
  std::atomic<std::uint64_t> wake_at_;    // value of consumed_ at which to wake sleeping threads
  std::atomic<bool> awaited_{false};      // next() sleeps
  std::atomic<bool> stop_{false};
  std::uint64_t current_;  // step that next() returns next
  /// Protects no data by itself: it orders the atomic members against waiting on room_ and
  /// arrival_.
  std::mutex mutex_;
  /// Wakes readers that wait for a free slot.
  std::condition_variable room_;
  /// Wakes next() when the batch that it waits for is read.
  std::condition_variable arrival_;
  /// Stands last, so that the threads are joined before the members that they use are destroyed.
  std::vector<std::jthread> threads_;
};

}  // namespace knead::data
