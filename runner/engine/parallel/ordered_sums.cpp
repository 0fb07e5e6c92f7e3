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

/// Returns the bytes of the ranges by shard.
std::vector<std::int64_t> bytes_of(const std::vector<plan::Range>& cut, const at::Tensor& tensor) {
  std::vector<std::int64_t> bytes;
  for (const plan::Range& range : cut)
    bytes.push_back(static_cast<std::int64_t>(range.size()) * tensor.element_size());
  return bytes;
}

at::Tensor bytes_in(const at::Tensor& tensor, const std::vector<plan::Range>& cut) {
  return tensor.narrow(0, 0, static_cast<std::int64_t>(cut.back().end)).view(at::kByte);
}

void sum_into(c10d::Backend& group, const at::Tensor& tensor, const at::Tensor& target,
              const std::vector<plan::Range>& cut) {
  const auto ranks = static_cast<std::size_t>(group.getSize());
  const std::vector<std::int64_t> by_shard = bytes_of(cut, tensor);
  const std::int64_t own = by_shard[static_cast<std::size_t>(group.getRank()) % cut.size()];
  std::vector<std::int64_t> sent;
  for (std::size_t rank = 0; rank < ranks; ++rank) sent.push_back(by_shard[rank % cut.size()]);
  std::vector<std::int64_t> received(ranks, own);
  // Each replica receives all shards.
  at::Tensor all = bytes_in(tensor, cut).repeat({static_cast<std::int64_t>(ranks / cut.size())});
  at::Tensor parts = at::empty({own * static_cast<std::int64_t>(ranks)}, at::kByte);
  group.alltoall_base(parts, all, received, sent)->wait();
  std::vector<const std::byte*> arrays;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    arrays.push_back(static_cast<const std::byte*>(parts.data_ptr()) +
                     static_cast<std::int64_t>(rank) * own);
  add_up_into(target, tensor.scalar_type(), arrays, 0, static_cast<std::size_t>(own));
}

void gather(c10d::Backend& group, const at::Tensor& tensor, const std::vector<plan::Range>& cut) {
  const auto ranks = static_cast<std::size_t>(group.getSize());
  const auto rank = static_cast<std::size_t>(group.getRank());
  const std::vector<std::int64_t> by_shard = bytes_of(cut, tensor);
  const std::size_t own = rank % cut.size();
  const std::size_t first = rank - own;  // the rank of this replica that holds the first shard
  std::vector<std::int64_t> sent(ranks, 0);
  std::vector<std::int64_t> received(ranks, 0);
  for (std::size_t shard = 0; shard < cut.size(); ++shard) {
    sent[first + shard] = by_shard[own];
    received[first + shard] = by_shard[shard];
  }
  at::Tensor all = bytes_in(tensor, cut);
  const auto begin = static_cast<std::int64_t>(cut[own].begin) * tensor.element_size();
  at::Tensor copies =
      all.narrow(0, begin, by_shard[own]).repeat({static_cast<std::int64_t>(cut.size())});
  group.alltoall_base(all, copies, received, sent)->wait();
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
  return begin([tensor](c10d::Backend& group) { sum(group, tensor); });
}

std::future<void> OrderedSums::begin_into(const at::Tensor& tensor, const at::Tensor& target,
                                          const std::vector<plan::Range>& cut) {
  return begin([=](c10d::Backend& group) { sum_into(group, tensor, target, cut); });
}

std::future<void> OrderedSums::begin_gather(const at::Tensor& tensor,
                                            const std::vector<plan::Range>& cut) {
  return begin([=](c10d::Backend& group) { gather(group, tensor, cut); });
}

std::future<void> OrderedSums::begin(std::function<void(c10d::Backend&)> operation) {
  std::packaged_task<void()> task(
      [&group = *queue_->group, operation = std::move(operation)] { operation(group); });
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
