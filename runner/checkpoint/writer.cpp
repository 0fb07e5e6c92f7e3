#include "runner/checkpoint/writer.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "runner/trace/watch.h"
#include "runner/trace/worker_thread.h"

namespace knead::checkpoint {

namespace {

// A full disk may be cleared between two saves; a run that cannot save for longer loses too much.
constexpr std::size_t kMostFailures = 3;

/// Saves and then rotates, so that old checkpoints are deleted only after the new one is verified.
Outcome save_and_rotate(Store& store, std::uint64_t step,
                        const std::function<Manifest(Store&)>& save, const Kept& kept) {
  const auto begin = std::chrono::steady_clock::now();
  const trace::Span span("save step", step);
  try {
    Saved saved;
    saved.manifest = save(store);
    saved.rotation = store.rotate(kept);
    saved.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return saved;
  } catch (const SaveFailed& failure) {
    return NotSaved{step, failure.what(), failure.remedy()};
  }
}

}  // namespace

Writer::Writer(Store& store, bool in_background) : store_(store) {
  if (in_background) thread_ = trace::start_thread("checkpoint writer", [this] { work(); });
}

Writer::~Writer() {
  if (!thread_) return;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_->join();
}

bool Writer::busy() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

Writer::Job Writer::saving(Snapshot snapshot, Kept kept) {
  const std::uint64_t step = snapshot.step;
  return {step, [owned = std::move(snapshot)](Store& store) { return store.save(owned); },
          std::move(kept)};
}

bool Writer::offer(Snapshot snapshot, Kept kept) {
  if (busy()) return false;
  start(saving(std::move(snapshot), std::move(kept)));
  return true;
}

void Writer::save_next(Snapshot snapshot, Kept kept) {
  wait();
  start(saving(std::move(snapshot), std::move(kept)));
}

bool Writer::save_now(Snapshot snapshot, Kept kept) {
  save_next(std::move(snapshot), std::move(kept));
  wait();
  return is_last_saved();
}

bool Writer::is_last_saved() const {
  const std::lock_guard lock(mutex_);
  return last_saved_;
}

std::optional<std::filesystem::path> Writer::begin_shared(std::uint64_t step, std::uint64_t size) {
  try {
    return store_.begin_shared(step, size);
  } catch (const SaveFailed& failure) {
    note_failure({step, failure.what(), failure.remedy()});
    return std::nullopt;
  }
}

void Writer::seal(SharedSave save, Kept kept) {
  const std::uint64_t step = save.step;
  start({step, [owned = std::move(save)](Store& store) { return store.seal(owned); },
         std::move(kept)});
}

void Writer::note_failure(NotSaved failure) {
  const std::lock_guard lock(mutex_);
  last_saved_ = false;
  outcomes_.push_back(std::move(failure));
}

std::vector<Outcome> Writer::take() {
  std::vector<Outcome> taken;
  {
    const std::lock_guard lock(mutex_);
    if (mistake_) std::rethrow_exception(std::exchange(mistake_, nullptr));
    taken.swap(outcomes_);
  }
  for (const Outcome& outcome : taken) {
    if (const auto* failed = std::get_if<NotSaved>(&outcome)) {
      failed_in_a_row_.push_back(*failed);
    } else {
      failed_in_a_row_.clear();
    }
  }
  return taken;
}

void Writer::check() const {
  if (failed_in_a_row_.size() < kMostFailures) return;
  const NotSaved& last = failed_in_a_row_.back();
  throw Error(
      fmt::format("{} saves in a row failed; the last: {}", failed_in_a_row_.size(), last.message),
      last.remedy, Exit::training_failed);
}

void Writer::start(Job job) {
  {
    const std::lock_guard lock(mutex_);
    busy_ = true;  // set here and not in the thread, so that busy() is true when this returns
    last_saved_ = false;
    if (thread_) next_ = std::move(job);
  }
  if (thread_) {
    changed_.notify_all();
  } else {
    run(std::move(job));
  }
}

void Writer::wait() {
  std::unique_lock lock(mutex_);
  if (!busy_) return;
  const trace::Span span(trace::Kind::wait, "waits for the save");
  changed_.wait(lock, [&] { return !busy_; });
}

void Writer::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return next_ || ending_; });
    // A job that waits is saved even if the writer is being destroyed.
    if (!next_) return;
    Job job = std::move(*next_);
    next_.reset();
    lock.unlock();
    run(std::move(job));
    lock.lock();
  }
}

void Writer::run(Job job) {
  std::optional<Outcome> outcome;
  std::exception_ptr mistake;
  try {
    outcome = save_and_rotate(store_, job.step, job.save, job.kept);
  } catch (...) {
    mistake = std::current_exception();  // take() rethrows it in the thread of the training loop
  }
  job = {};  // frees the snapshot before the next one is made: there may be memory for only one
  {
    const std::lock_guard lock(mutex_);
    last_saved_ = outcome && std::holds_alternative<Saved>(*outcome);
    if (outcome) outcomes_.push_back(std::move(*outcome));
    if (mistake) mistake_ = mistake;
    busy_ = false;
  }
  changed_.notify_all();
}

}  // namespace knead::checkpoint
