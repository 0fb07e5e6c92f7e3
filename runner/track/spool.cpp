#include "runner/track/spool.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runner/trace/worker_thread.h"
#include "schema/document/error.h"

namespace knead::track {

/// Holds the state that both threads use. Only the thread of the spool calls the sink.
struct Spool::Queue {
  std::unique_ptr<Sink> sink;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Record> records;
  bool has_gap = false;  // a record could not be passed on
  bool is_busy = false;  // the sink is at work on a record that is no longer in the queue
  bool is_closed = false;
  std::vector<std::string> warnings;

  bool is_idle() const { return records.empty() && !is_busy; }

  void warn(const std::string& text) {
    const std::lock_guard lock(mutex);
    warnings.push_back(text);
  }

  bool pass_on(const Record& record) {
    try {
      record(*sink);
      return true;
    } catch (const Error& error) {
      warn(fmt::format("{}; the run goes on without it", error.what()));
      return false;
    }
  }

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return !records.empty() || is_closed; });
      if (records.empty()) return;
      const Record record = std::move(records.front());
      records.pop_front();
      is_busy = true;
      lock.unlock();
      // The lock is released here: the training thread adds records while the sink works.
      const bool is_done = pass_on(record);
      lock.lock();
      has_gap = has_gap || !is_done;
      is_busy = false;
      changed.notify_all();
    }
  }
};

Spool::Spool(std::string name, const Make& make, Warn warn, Limits limits)
    : name_(std::move(name)),
      warn_(std::move(warn)),
      limits_(limits),
      queue_(std::make_shared<Queue>()) {
  // The queue outlives the sink, which is a part of it: no circle of owners.
  Queue* queue = queue_.get();
  queue_->sink = make([queue](const std::string& text) { queue->warn(text); });
  is_new_ = queue_->sink->is_new();
  pass_warnings();
  thread_ = trace::start_thread(name_, [queue = queue_] { queue->work(); });
}

Spool::~Spool() {
  bool has_ended = false;
  {
    std::unique_lock lock(queue_->mutex);
    queue_->is_closed = true;
    queue_->changed.notify_all();
    const auto wait = hangs_ ? std::chrono::milliseconds(0) : limits_.wait;
    has_ended = queue_->changed.wait_for(lock, wait, [&] { return queue_->is_idle(); });
  }
  // A thread that hangs in the sink cannot be joined.
  has_ended ? thread_.join() : thread_.detach();
  pass_warnings();
}

void Spool::report(const Report& report) {
  put([report](Sink& sink) { sink.report(report); });
}

void Spool::evaluated(const plan::Evaluation& evaluation) {
  put([evaluation](Sink& sink) { sink.evaluated(evaluation); });
}

void Spool::generated(const GeneratedText& text) {
  put([text](Sink& sink) { sink.generated(text); });
}

void Spool::predicted(const Predictions& predictions) {
  put([predictions](Sink& sink) { sink.predicted(predictions); });
}

void Spool::spread(const Histograms& histograms) {
  put([histograms](Sink& sink) { sink.spread(histograms); });
}

void Spool::ended(RunEnd end) {
  put([end](Sink& sink) { sink.ended(end); });
}

void Spool::put(Record record) {
  bool is_full = false;
  {
    const std::lock_guard lock(queue_->mutex);
    is_full = queue_->records.size() >= limits_.records;
    if (!is_full) queue_->records.push_back(std::move(record));
    queue_->changed.notify_all();
  }
  if (is_full && !is_full_)
    warn_(fmt::format("{} does not keep up: numbers are left out there", name_));
  is_full_ = is_full_ || is_full;
  pass_warnings();
}

void Spool::add_positions(Positions& positions) const {
  {
    std::unique_lock lock(queue_->mutex);
    const auto wait = hangs_ ? std::chrono::milliseconds(0) : limits_.wait;
    const bool is_idle = queue_->changed.wait_for(lock, wait, [&] { return queue_->is_idle(); });
    // Files that lack a record are to be written anew as well.
    // The sink may be asked on this thread, because the lock keeps its own thread from beginning.
    if (is_idle && !is_full_ && !queue_->has_gap) queue_->sink->add_positions(positions);
    if (!is_idle && !hangs_)
      queue_->warnings.push_back(fmt::format("{} hangs: the run does not wait for it", name_));
    hangs_ = !is_idle;
  }
  pass_warnings();
}

void Spool::pass_warnings() const {
  std::vector<std::string> warnings;
  {
    const std::lock_guard lock(queue_->mutex);
    warnings.swap(queue_->warnings);
  }
  for (const std::string& text : warnings) warn_(text);
}

}  // namespace knead::track
