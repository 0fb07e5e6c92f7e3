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
/// lost that cannot be filled in again. Its functions are called from one thread.
class Spool final : public Sink {
 public:
  struct Limits {
    std::size_t records = 100'000;          // that wait at most; later ones are left out
    std::chrono::milliseconds wait{2'000};  // for the sink, at a save and at the end
  };

  /// Makes the sink. Its warnings come on the thread of the spool.
  using Make = std::function<std::unique_ptr<Sink>(const Warn&)>;

  /// Calls `make` at once, and throws what it throws. `name` stands in messages. `warn` is called
  /// on the caller's thread only.
  Spool(std::string name, const Make& make, Warn warn, Limits limits);
  Spool(std::string name, const Make& make, Warn warn)
      : Spool(std::move(name), make, std::move(warn), Limits()) {}

  /// Waits for the sink as long as the limit says. A sink that hangs is left behind.
  ~Spool() override;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  bool is_new() const override { return is_new_; }
  void report(const Report& report) override;
  void evaluated(const plan::Evaluation& evaluation) override;

  /// Waits until the sink has everything, as long as the limit says. Where it hangs its files are
  /// left out: a resume then writes them anew from the journals.
  void add_positions(Positions& positions) const override;

 private:
  struct Queue;
  using Record = std::function<void(Sink&)>;

  void put(Record record);
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
