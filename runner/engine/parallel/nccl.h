#pragma once

#include <functional>
#include <memory>
#include <string>

#include <c10/core/Stream.h>

#include "runner/engine/cuda/nccl_table.h"
#include "runner/engine/parallel/collectives.h"

namespace knead::engine::parallel {

struct Membership;

/// Connects ranks by NCCL, which carries tensors between the GPUs of ranks. Operations run on a
/// stream of their own, behind the work that was queued on the device when they began. wait()
/// blocks the host until an operation is complete: only so can it end when another rank is lost.
///
/// Throws also knead::Error with NCCL's words if NCCL fails for another reason.
class Nccl final : public Collectives {
 public:
  /// Connects the GPUs of the ranks by `membership.nccl`. `of_first` returns the text of rank 0 to
  /// all ranks. Returns when all of them are connected. NCCL listens on loopback only if all ranks
  /// are on this machine and NCCL_SOCKET_IFNAME does not say otherwise.
  Nccl(const Membership& membership,
       const std::function<std::string(const std::string&)>& of_first);
  /// Waits for the other ranks to end too, but not if an operation was not waited for or an
  /// exception is on its way.
  ~Nccl() override;
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  std::unique_ptr<Running> begin_sum(const at::Tensor& tensor) override;
  /// Sums whole tensors, of which each rank then takes its range.
  std::unique_ptr<Running> begin_sum_into(const at::Tensor& tensor, const at::Tensor& target,
                                          const std::vector<plan::Range>& cut) override;
  std::unique_ptr<Gathering> begin_gather(const at::Tensor& tensor,
                                          const std::vector<plan::Range>& cut) override;
  void copy_from_first(const at::Tensor& tensor) override;

 private:
  class Operation;
  class Operations;
  class SumInto;

  std::unique_ptr<Operation> begin(const at::Tensor& tensor,
                                   const std::function<cuda::NcclResult(void* stream)>& queue);
  std::unique_ptr<Running> begin_copy(const at::Tensor& tensor, int from);
  void expect(cuda::NcclResult result);
  void wait_for_state();
  void wait_until(const std::function<bool()>& is_done);
  bool is_finished();
  void abort();

  const cuda::NcclTable& nccl_;
  int rank_;
  double timeout_;                // s
  void* communicator_ = nullptr;  // null after abort()
  c10::Stream stream_;
  int running_ = 0;  // operations that were not waited for
};

}  // namespace knead::engine::parallel
