#include "runner/track/network/mlflow_sink.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "runner/trace/worker_thread.h"
#include "runner/track/network/mlflow_delivery.h"
#include "runner/track/sinks/file_sinks.h"
#include "schema/document/error.h"

namespace knead::track {
namespace {

using Clock = std::chrono::steady_clock;

/// Holds what the thread of the run and that of the sink share. The second may outlive the sink,
/// where it hangs in the resolver, which nobody can interrupt.
class MlflowCourier {
 public:
  MlflowCourier(const recipe::MlflowSink& kind, const About& about, MlflowPatience patience)
      : delivery_(kind, about), patience_(patience), folder_(about.folder) {}

  void wake() {
    const std::lock_guard lock(mutex_);
    has_news_ = true;
    changed_.notify_all();
  }

  /// Lets the thread send what is missing, and waits for it. Returns whether it has ended.
  bool close(RunEnd end) {
    const auto wait = end == RunEnd::stopped ? patience_.at_stop : patience_.at_end;
    std::unique_lock lock(mutex_);
    end_ = end;
    deadline_ = Clock::now() + wait;
    changed_.notify_all();
    if (changed_.wait_until(lock, *deadline_, [this] { return is_over_; })) return true;
    lock.unlock();
    delivery_.exchange().stop();
    lock.lock();
    return changed_.wait_for(lock, std::chrono::milliseconds(500), [this] { return is_over_; });
  }

  std::vector<std::string> take_warnings() {
    const std::lock_guard lock(mutex_);
    return std::exchange(warnings_, {});
  }

  void work() {
    while (!ends()) deliver();
    const bool is_whole = deliver_end();
    const std::lock_guard lock(mutex_);
    is_whole_ = is_whole;
    is_over_ = true;
    changed_.notify_all();
  }

  bool is_whole() {
    const std::lock_guard lock(mutex_);
    return is_whole_;
  }

 private:
  /// Waits until there is something to send and the pause is over. Returns whether the run has
  /// ended.
  bool ends() {
    std::unique_lock lock(mutex_);
    const auto pause = failures_ == 0 ? patience_.pause : pause_after_failures();
    changed_.wait_for(lock, pause, [this] { return end_.has_value(); });
    // After a failure there is something to send still.
    changed_.wait(lock, [this] { return end_ || has_news_ || failures_ > 0; });
    has_news_ = false;
    return end_.has_value();
  }

  std::chrono::milliseconds pause_after_failures() const {
    const int doublings = std::min(failures_, 10);
    return std::min(patience_.pause * (1 << doublings), patience_.longest);
  }

  void deliver() {
    try {
      while (delivery_.send_batch() && !has_ended()) {
      }
      failures_ = 0;
    } catch (const Error& error) {
      ++failures_;
      warn_once(fmt::format("{}; the run goes on, and what is missing there is sent later",
                            error.what()));
    } catch (const std::exception& error) {  // a disk that is full, or no memory
      ++failures_;
      warn_once(fmt::format("MLflow: {}; the run goes on", error.what()));
    }
  }

  /// Sends the rest. Returns whether the server has all.
  bool deliver_end() {
    delivery_.exchange().limit_time(std::max(left(), std::chrono::milliseconds(1)));
    try {
      while (delivery_.send_batch()) {
      }
      if (end_ != RunEnd::stopped) delivery_.send_artifacts();
      delivery_.send_end(*end_);
      return true;
    } catch (const std::exception& error) {
      warn_once(error.what());
      return false;
    }
  }

  std::chrono::milliseconds left() {
    const std::lock_guard lock(mutex_);
    return std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
  }

  bool has_ended() {
    const std::lock_guard lock(mutex_);
    return end_.has_value();
  }

  void warn_once(std::string text) {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(has_warned_, true)) warnings_.push_back(std::move(text));
  }

  MlflowDelivery delivery_;
  MlflowPatience patience_;
  std::filesystem::path folder_;
  int failures_ = 0;  // in a row

  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_news_ = true;  // of earlier starts
  std::optional<RunEnd> end_;
  std::optional<Clock::time_point> deadline_;
  bool is_over_ = false;
  bool is_whole_ = false;
  bool has_warned_ = false;
  std::vector<std::string> warnings_;
};

class Mlflow final : public Sink {
 public:
  Mlflow(const recipe::MlflowSink& kind, const About& about, Warn warn, MlflowPatience patience)
      : courier_(std::make_shared<MlflowCourier>(kind, about, patience)),
        warn_(std::move(warn)),
        folder_(about.folder) {
    thread_ = trace::start_thread("MLflow", [courier = courier_] { courier->work(); });
  }

  ~Mlflow() override {
    if (thread_.joinable()) ended(RunEnd::failed);
  }

  // The thread reads the journals itself, from the beginning.
  bool is_new() const override { return false; }

  void report(const Report&) override { wake(); }
  void evaluated(const plan::Evaluation&) override { wake(); }
  // The texts are an artifact, generated.jsonl: they are sent at the end.
  void add_positions(Positions&) const override {}

  void ended(RunEnd end) override {
    const bool has_ended = courier_->close(end);
    const bool is_whole = has_ended && courier_->is_whole();
    has_ended ? thread_.join() : thread_.detach();
    pass_warnings();
    if (!is_whole && end != RunEnd::stopped)
      warn_(fmt::format("MLflow lacks something of this run: 'knead track {} --to mlflow' sends it",
                        folder_.string()));
  }

 private:
  void wake() {
    courier_->wake();
    pass_warnings();
  }

  void pass_warnings() {
    for (const std::string& text : courier_->take_warnings()) warn_(text);
  }

  std::shared_ptr<MlflowCourier> courier_;
  Warn warn_;
  std::filesystem::path folder_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Sink> make_mlflow(const recipe::MlflowSink& kind, const About& about, Warn warn,
                                  MlflowPatience patience) {
  return std::make_unique<Mlflow>(kind, about, std::move(warn), patience);
}

std::unique_ptr<Sink> make_sink(const recipe::Sink& kind, const About& about,
                                const Positions& positions, const Warn& warn) {
  if (const auto* mlflow = std::get_if<recipe::MlflowSink>(&kind))
    return make_mlflow(*mlflow, about, warn);
  return make_file_sink(kind, about, positions, warn);
}

}  // namespace knead::track
