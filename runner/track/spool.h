#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "runner/track/journal.h"
#include "runner/track/sink.h"

namespace knead::track {

/// Puts a queue and a thread between a run and one of its sinks: a disk or a server that hangs
/// never holds a step up. Every number stands in the journals before it gets here, so nothing is
/// lost that cannot be filled in again.
///
/// The functions of a spool are called from one thread. The sink receives numbers on the thread of
/// the spool; is_new() and add_positions() are asked on the caller's. Once a record did not fit
/// into the queue, the files of the sink have a gap. They then get no positions, so that the next
/// resume writes them anew.
class Spool final : public Sink {
 public:
  /// Bounds the memory and the time that a sink that hangs may take.
  struct Limits {
    /// Records that may wait; later ones are left out, with one warning.
    std::size_t records = 100'000;
    /// Time to wait for the sink at each save and at the end. A sink that was late once is not
    /// waited for until it has caught up.
    std::chrono::milliseconds wait{2'000};
  };

  /// Makes the sink. The Warn that it gets may be called on any thread; the spool passes the
  /// warnings on later, on the caller's thread.
  using Make = std::function<std::unique_ptr<Sink>(const Warn&)>;

  /// Calls `make` at once on the calling thread, and throws what it throws. `name` stands in
  /// messages. `warn` is called on the caller's thread only, within functions of the spool.
  Spool(std::string name, const Make& make, Warn warn, Limits limits);
  Spool(std::string name, const Make& make, Warn warn)
      : Spool(std::move(name), make, std::move(warn), Limits()) {}

  /// Waits for the sink as long as the limit says. A sink that hangs is left behind: its thread
  /// goes on and frees the sink when it ends.
  ~Spool() override;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  bool is_new() const override { return is_new_; }
  void report(const Report& report) override;
  void evaluated(const plan::Evaluation& evaluation) override;
  void generated(const GeneratedText& text) override;
  void predicted(const Predictions& predictions) override;
  void spread(const Histograms& histograms) override;
  void ended(RunEnd end) override;

  /// Lets the sink receive something else in its turn, on the thread of the spool. A knead::Error
  /// that `record` throws becomes a warning, and the files of the sink then have a gap.
  using Record = std::function<void(Sink&)>;
  void put(Record record);

  /// Waits until the sink has everything, as long as the limit says. If the sink hangs or has a
  /// gap, its files are left out: a resume then writes them anew from the journals.
  void add_positions(Positions& positions) const override;

 private:
  struct Queue;

  void pass_warnings() const;

  std::string name_;
  Warn warn_;
  Limits limits_;
  bool is_new_;
  bool is_full_ = false;          // and that was said
  mutable bool hangs_ = false;    // and that was said
  std::shared_ptr<Queue> queue_;  // shared with the thread, which may outlive the spool
  std::thread thread_;
};

}  // namespace knead::track
