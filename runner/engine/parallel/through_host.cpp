#include "runner/engine/parallel/through_host.h"

#include <utility>

#include <ATen/ops/zeros_like.h>

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

/// A sum in host memory that is added to a tensor of the device at its end.
class RunningSumInto final : public Running {
 public:
  RunningSumInto(at::Tensor target, at::Tensor sum, std::unique_ptr<Running> running)
      : target_(std::move(target)), sum_(std::move(sum)), running_(std::move(running)) {}

  void wait() override {
    running_->wait();
    target_.add_(sum_.to(target_.device()));
  }

 private:
  at::Tensor target_;
  at::Tensor sum_;
  std::unique_ptr<Running> running_;
};

}  // namespace

std::unique_ptr<Running> ThroughHost::begin_sum_into(const at::Tensor& tensor,
                                                     const at::Tensor& target,
                                                     const std::vector<plan::Range>& cut) {
  const at::Tensor sum = at::zeros_like(target, at::TensorOptions().device(at::kCPU));
  return std::make_unique<RunningSumInto>(target, sum,
                                          host_.begin_sum_into(tensor.cpu(), sum, cut));
}

std::unique_ptr<Gathering> ThroughHost::begin_gather(const at::Tensor& tensor,
                                                     const std::vector<plan::Range>& cut) {
  return host_.begin_gather(tensor.cpu(), cut);
}

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
