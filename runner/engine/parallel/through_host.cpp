#include "runner/engine/parallel/through_host.h"

#include <utility>

namespace knead::engine::parallel {
namespace {

/// A sum in host memory that is copied to the device at its end.
class RunningCopy final : public Running {
 public:
  RunningCopy(at::Tensor tensor, at::Tensor copy, std::unique_ptr<Running> running)
      : tensor_(std::move(tensor)), copy_(std::move(copy)), running_(std::move(running)) {}

  void wait() override {
    running_->wait();
    tensor_.copy_(copy_);
  }

 private:
  at::Tensor tensor_;
  at::Tensor copy_;
  std::unique_ptr<Running> running_;
};

}  // namespace

std::unique_ptr<Running> ThroughHost::begin_sum(const at::Tensor& tensor) {
  const at::Tensor copy = tensor.cpu();
  return std::make_unique<RunningCopy>(tensor, copy, host_.begin_sum(copy));
}

void ThroughHost::copy_from_first(const at::Tensor& tensor) {
  const at::Tensor copy = tensor.cpu();
  host_.copy_from_first(copy);
  tensor.copy_(copy);
}

}  // namespace knead::engine::parallel
