#include "runner/engine/device/copy_ahead.h"

#include <ATen/ops/empty_like.h>
#include <c10/core/StreamGuard.h>

#include "runner/engine/device/device.h"

namespace knead::engine {

CopyAhead::CopyAhead()
    : copies_(c10::impl::VirtualGuardImpl(device().type())
                  .getStreamFromGlobalPool(device(), /*isHighPriority=*/true)),
      memory_{{{{}, c10::Event(device().type()), c10::Event(device().type())},
               {{}, c10::Event(device().type()), c10::Event(device().type())}}} {}

// Waits for running copies, which would write into memory that is freed and may be reused.
CopyAhead::~CopyAhead() {
  try {
    wait_until_read();
  } catch (const c10::Error&) {
    return;  // the GPU has failed and copies nothing more
  }
}

void CopyAhead::begin(const std::vector<at::Tensor>& host) {
  Memory& next = memory_[1 - current_];
  if (next.tensors.empty()) {
    for (const at::Tensor& each : host)
      next.tensors.push_back(
          each.defined()
              ? at::empty_like(each, each.options().device(device()).pinned_memory(false))
              : at::Tensor());
    next.used.record(stream_of_work());  // queued work may use this memory for freed tensors
  }
  // The copies must not overwrite tensors that queued work still reads.
  next.used.block(copies_);
  const c10::StreamGuard beside(copies_);
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (host[i].defined()) next.tensors[i].copy_(host[i], /*non_blocking=*/true);
  }
  next.copied.record(copies_);
}

void CopyAhead::wait_until_read() {
  for (const Memory& memory : memory_) {
    if (memory.copied.was_marked_for_recording()) memory.copied.synchronize();
  }
}

const std::vector<at::Tensor>& CopyAhead::take() {
  // All work that reads the previous tensors is queued by now: begin() makes its copies wait for
  // it.
  memory_[current_].used.record(stream_of_work());
  current_ = 1 - current_;
  memory_[current_].copied.block(stream_of_work());
  return memory_[current_].tensors;
}

}  // namespace knead::engine
