#include "runner/engine/model/module/unit_calls.h"

#include <exception>
#include <mutex>
#include <utility>

#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

/// Keeps the first error of the calls; backward may run on another thread.
class KeptError {
 public:
  void keep(const std::exception_ptr& error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }
  void rethrow() {
    const std::lock_guard lock(mutex_);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

KeptError& kept_error() {
  static KeptError error;
  return error;
}

/// Passes calls on, and keeps what they throw.
class KeepingCalls final : public UnitCalls {
 public:
  explicit KeepingCalls(std::shared_ptr<UnitCalls> calls) : calls_(std::move(calls)) {}
  void need(std::size_t unit) override {
    guarded([&] { calls_->need(unit); });
  }
  void forward_done(std::size_t unit) override {
    guarded([&] { calls_->forward_done(unit); });
  }
  void backward_done(std::size_t unit) override {
    guarded([&] { calls_->backward_done(unit); });
  }

 private:
  template <class Work>
  static void guarded(const Work& work) {
    try {
      work();
    } catch (const Error&) {
      kept_error().keep(std::current_exception());
      throw;
    }
  }

  std::shared_ptr<UnitCalls> calls_;
};

}  // namespace

std::shared_ptr<UnitCalls> keep_errors_of(std::shared_ptr<UnitCalls> calls) {
  return std::make_shared<KeepingCalls>(std::move(calls));
}

void rethrow_failed_unit_call() { kept_error().rethrow(); }

}  // namespace knead::engine::model
