#include "runner/data/sets/batches.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include "runner/trace/watch.h"

namespace knead::data {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Batches::Batches(const Set& set, const std::vector<std::size_t>& fields, plan::Windows windows,
                 plan::EpochOrder order, std::uint64_t first, std::uint64_t end, Reading reading,
                 const Memory& memory)
    : set_(set),
      fields_(fields),
      windows_(windows),
      order_(order),
      share_(reading.share),
      end_(end),
      slots_(reading.workers == 0 ? 1 : static_cast<std::size_t>(reading.prefetch) + 1),
      next_step_(first),
      consumed_(first),
      wake_at_(kNever),
      current_(first) {
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    slots_[slot].batch.slot = slot;
    for (const std::size_t field : fields_) slots_[slot].memory.push_back(memory(slot, field));
  }
  for (std::int64_t i = 0; i < reading.workers; ++i)
    threads_.emplace_back([this, i, purpose = reading.purpose] {
      trace::name_thread(purpose.empty() ? fmt::format("reader {}", i + 1)
                                         : fmt::format("{} reader {}", purpose, i + 1));
      read_ahead(order_);
    });
}

Batches::~Batches() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  room_.notify_all();
}

void Batches::fill(std::uint64_t step, plan::EpochOrder& order) {
  const trace::Span span("batch", step + 1);
  // Steps use the slots in turn, so readers need no list of free slots: the slot of a step is free
  // once the step slots_.size() before it is consumed.
  Slot& slot = slots_[step % slots_.size()];
  slot.batch.step = step;
  slot.batch.window = share_.of(windows_.at(step));
  order.read(slot.batch.window, slot.batch.samples);
  set_.find_rows(slot.batch.samples, slot.rows);
  order.read_turns(slot.batch.window, slot.turns);
  if (slot.batch.window.size == 0) return;
  const Request request{slot.rows, slot.batch.window.epoch, slot.batch.window.first, slot.turns};
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const trace::Span field(set_.fields()[fields_[i]].name);
    set_.source().read(fields_[i], request, slot.memory[i]);
  }
}

void Batches::read_ahead(plan::EpochOrder order) {
  for (;;) {
    const std::uint64_t step = next_step_++;
    if (step >= end_ || !wait_for_room(step)) return;
    Slot& slot = slots_[step % slots_.size()];
    try {
      fill(step, order);
    } catch (...) {
      slot.failure = std::current_exception();  // next() rethrows it for this batch
    }
    slot.filled = step + 1;
    if (!awaited_) continue;
    // Taking the mutex ensures that next() either sees `filled` or already waits for the signal.
    { const std::lock_guard lock(mutex_); }
    arrival_.notify_one();
  }
}

bool Batches::wait_for_room(std::uint64_t step) {
  const std::uint64_t needed = step < slots_.size() ? 0 : step + 1 - slots_.size();
  if (consumed_ >= needed) return !stop_;
  const trace::Span span(trace::Kind::wait, "waits for room");
  // Sleeps until half of the slots are free, so that each waking pays for several batches.
  const std::uint64_t enough = std::min(needed + slots_.size() / 2, end_ - 1);
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] {
    wake_at_ = std::min(wake_at_.load(), enough);  // before consumed_ is read: see release()
    return stop_ || consumed_ >= enough || (awaited_ && consumed_ >= needed);
  });
  return !stop_;
}

void Batches::release() {
  consumed_ = current_;
  if (consumed_ < wake_at_) return;
  {
    const std::lock_guard lock(mutex_);
    wake_at_ = kNever;
  }
  room_.notify_all();
}

void Batches::wait_for_batch(const Slot& slot) {
  const auto is_there = [&] { return slot.filled == current_ + 1; };
  if (is_there()) return;
  const trace::Span span(trace::Kind::wait, "waits for readers");
  std::unique_lock lock(mutex_);
  // While next() waits, a reader wakes as soon as its own slot is free.
  awaited_ = true;
  room_.notify_all();
  arrival_.wait(lock, is_there);
  awaited_ = false;
}

const Batch& Batches::next() {
  // All of next() counts as waiting: what is not waiting takes microseconds.
  const auto before = std::chrono::steady_clock::now();
  release();
  Slot& slot = slots_[current_ % slots_.size()];
  if (threads_.empty()) {
    fill(current_, order_);
  } else {
    wait_for_batch(slot);
  }
  if (slot.failure) std::rethrow_exception(slot.failure);
  ++current_;
  waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  return slot.batch;
}

}  // namespace knead::data
