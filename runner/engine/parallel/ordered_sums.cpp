#include "runner/engine/parallel/ordered_sums.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <c10/util/ParallelGuard.h>

#include "runner/engine/parallel/add_up.h"

namespace knead::engine::parallel {
namespace {

void sum_in_any_order(c10d::Backend& group, const at::Tensor& tensor) {
  std::vector<at::Tensor> tensors{tensor};
  group.allreduce(tensors)->wait();
}

void sum_in_order(c10d::Backend& group, const at::Tensor& tensor) {
  const std::int64_t ranks = group.getSize();
  // The last part is padded: Gloo gathers equal lengths.
  const std::int64_t part = (tensor.numel() + ranks - 1) / ranks * tensor.element_size();
  at::Tensor all = at::zeros({part * ranks}, at::kByte);
  at::Tensor parts = at::empty({part * ranks}, at::kByte);  // one of each rank, all of this place
  std::memcpy(all.data_ptr(), tensor.data_ptr(), tensor.nbytes());
  std::vector<std::int64_t> equal;
  group.alltoall_base(parts, all, equal, equal)->wait();
  std::vector<std::byte*> arrays;
  for (std::int64_t rank = 0; rank < ranks; ++rank)
    arrays.push_back(static_cast<std::byte*>(parts.data_ptr()) + rank * part);
  add_up(tensor.scalar_type(), arrays, 0, static_cast<std::size_t>(part));
  at::Tensor own = parts.narrow(0, 0, part);
  group._allgather_base(all, own)->wait();
  std::memcpy(tensor.data_ptr(), all.data_ptr(), tensor.nbytes());
}

void sum(c10d::Backend& group, const at::Tensor& tensor) {
  if (tensor.numel() == 0) return;
  if (can_add_up(tensor.scalar_type())) {
    sum_in_order(group, tensor);
  } else {
    sum_in_any_order(group, tensor);  // whole numbers, of which the order does not matter
  }
}

}  // namespace

struct OrderedSums::Queue {
  c10::intrusive_ptr<c10d::Backend> group;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::packaged_task<void()>> sums;
  bool is_ended = false;
};

OrderedSums::OrderedSums(c10::intrusive_ptr<c10d::Backend> group)
    : queue_(std::make_shared<Queue>()) {
  queue_->group = std::move(group);
  std::thread([queue = queue_] { work(queue); }).detach();
}

OrderedSums::~OrderedSums() {
  const std::lock_guard lock(queue_->mutex);
  queue_->is_ended = true;
  queue_->changed.notify_one();
}

std::future<void> OrderedSums::begin(const at::Tensor& tensor) {
  std::packaged_task<void()> task([&group = *queue_->group, tensor] { sum(group, tensor); });
  std::future<void> end = task.get_future();
  const std::lock_guard lock(queue_->mutex);
  queue_->sums.push_back(std::move(task));
  queue_->changed.notify_one();
  return end;
}

void OrderedSums::work(const std::shared_ptr<Queue>& queue) {
  const c10::NoGradGuard no_gradients;
  const c10::ParallelGuard single_thread(true);  // the cores are busy with backward
  std::unique_lock lock(queue->mutex);
  for (;;) {
    queue->changed.wait(lock, [&] { return queue->is_ended || !queue->sums.empty(); });
    if (queue->is_ended) return;
    std::packaged_task<void()> next = std::move(queue->sums.front());
    queue->sums.pop_front();
    lock.unlock();
    next();
    next = {};  // the tensor is freed before the next wait
    lock.lock();
  }
}

}  // namespace knead::engine::parallel
