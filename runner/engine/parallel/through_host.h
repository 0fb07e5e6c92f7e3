#pragma once

#include <memory>

#include "runner/engine/parallel/collectives.h"

namespace knead::engine::parallel {

/// Carries tensors of a device as copies in host memory, by a library that carries those. Each
/// operation waits for the device.
class ThroughHost final : public Collectives {
 public:
  /// Borrows what carries tensors in host memory.
  explicit ThroughHost(Collectives& host) : host_(host) {}

  std::unique_ptr<Running> begin_sum(const at::Tensor& tensor) override;
  std::unique_ptr<Running> begin_sum_into(const at::Tensor& tensor, const at::Tensor& target,
                                          const std::vector<plan::Range>& cut) override;
  std::unique_ptr<Gathering> begin_gather(const at::Tensor& tensor,
                                          const std::vector<plan::Range>& cut) override;
  void copy_from_first(const at::Tensor& tensor) override;

 private:
  Collectives& host_;
};

}  // namespace knead::engine::parallel
