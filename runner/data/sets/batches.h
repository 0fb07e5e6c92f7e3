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

/// The samples of one step, in memory that was handed over for them.
struct Batch {
  std::uint64_t step = 0;
  std::size_t slot = 0;
  plan::Window window;
  std::vector<std::uint64_t> samples;  // within the set, in the order they lie in memory
};

/// How batches are read: threads, and how many batches they may be ahead.
struct Reading {
  std::int64_t workers = 0;  // 0: next() reads
  std::int64_t prefetch = 1;
  std::string purpose = "";  // "validation": in the names of threads; none for training
};

/// Reads the windows of a set one after another, ahead of who uses them. What is read, and in which
/// order, is a function of the set, the windows and the order alone.
class Batches {
 public:
  /// Where a field of a batch (its place in set.fields()) is to lie: room for the largest window.
  /// Called for each slot and field before anything is read.
  using Memory = std::function<std::byte*(std::size_t slot, std::size_t field)>;

  /// `fields`: places in set.fields(). The set must outlive this; steps [first, end) are read.
  Batches(const Set& set, const std::vector<std::size_t>& fields, plan::Windows windows,
          plan::EpochOrder order, std::uint64_t first, std::uint64_t end, Reading reading,
          const Memory& memory);
  ~Batches();
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  /// The batch of the next step; its memory is used until the next call. Throws what reading it
  /// threw.
  const Batch& next();

  std::size_t slots() const { return slots_.size(); }

  /// Seconds that next() has waited or read.
  double waited() const { return waited_; }

 private:
  struct Slot {
    Batch batch;
    std::vector<std::byte*> memory;        // by field that is read
    std::vector<std::uint64_t> rows;       // of the source
    std::vector<plan::Turn> turns;         // of them, in a mix
    std::exception_ptr failure;            // of the thread that read it
    std::atomic<std::uint64_t> filled{0};  // one more than the step that lies in it
  };

  void fill(std::uint64_t step, plan::EpochOrder& order);
  void read_ahead(plan::EpochOrder order);
  bool wait_for_room(std::uint64_t step);
  void wait_for_batch(const Slot& slot);
  void release();

  const Set& set_;
  std::vector<std::size_t> fields_;  // places in set_.fields()
  plan::Windows windows_;
  plan::EpochOrder order_;  // of this thread
  std::uint64_t end_;
  std::vector<Slot> slots_;
  double waited_ = 0;

  // Threads go to sleep under the mutex and are woken only where they sleep: a step may take no
  // longer than waking a thread does.
  std::atomic<std::uint64_t> next_step_;  // that a thread reads
  std::atomic<std::uint64_t> consumed_;   // steps whose memory is free again, and the first one
  std::atomic<std::uint64_t> wake_at_;    // consumed steps at which sleeping threads have work
  std::atomic<bool> awaited_{false};      // next() sleeps
  std::atomic<bool> stop_{false};
  std::uint64_t current_;  // the step that next() gave, and one
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable arrival_;
  std::vector<std::jthread> threads_;
};

}  // namespace knead::data
