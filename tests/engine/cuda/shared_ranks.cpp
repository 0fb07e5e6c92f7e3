#include "tests/engine/cuda/shared_ranks.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <nccl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

namespace knead::engine::cuda {
namespace {

constexpr int kMostRanks = 8;
constexpr std::size_t kPart = 1 << 16;  // bytes that are exchanged at once

std::size_t size_of(int type) {
  switch (type) {
    case ncclUint8: return 1;
    case ncclFloat16:
    case ncclBfloat16: return 2;
    case ncclFloat32: return 4;
    case ncclFloat64: return 8;
    default: throw Mismatch{"numbers of an unknown type"};
  }
}

std::string words_of(const Call& call) {
  return std::string(call.kind == Call::Kind::sum ? "a sum" : "a copy") + " of " +
         std::to_string(call.count) + " numbers of type " + std::to_string(call.type);
}

template <class Number>
void add(void* to, const void* from, std::size_t bytes) {
  auto* const sums = static_cast<Number*>(to);
  const auto* const numbers = static_cast<const Number*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(Number); ++i) sums[i] = sums[i] + numbers[i];
}

void add(int type, void* to, const void* from, std::size_t bytes) {
  switch (type) {
    case ncclFloat16: return add<c10::Half>(to, from, bytes);
    case ncclBfloat16: return add<c10::BFloat16>(to, from, bytes);
    case ncclFloat32: return add<float>(to, from, bytes);
    case ncclFloat64: return add<double>(to, from, bytes);
    default: throw Mismatch{"a sum of bytes"};
  }
}

}  // namespace

/// Lies in the file, which begins as zeros.
struct SharedRanks::Region {
  struct Rank {
    std::atomic<int> is_here;
    std::atomic<int> is_finished;
    std::atomic<int> is_gone;
    std::atomic<std::uint64_t> met;  // how often this rank has met the others
    Call call;
    alignas(16) unsigned char part[kPart];
  };
  Rank ranks[kMostRanks];
};

std::string SharedRanks::make_file() {
  const char* const folder = std::getenv("STAND_IN_NCCL_FOLDER");
  std::string path = std::string(folder ? folder : "/dev/shm") + "/stand-in-nccl-XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0 || ftruncate(file, sizeof(Region)) != 0) throw std::runtime_error("no file");
  close(file);
  return path;
}

SharedRanks::SharedRanks(const std::string& path, int rank, int ranks)
    : path_(path), rank_(rank), ranks_(ranks), file_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  // The kernel gives a lock back when its process ends, however that happens.
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_start = rank;
  lock.l_len = 1;
  if (ranks > kMostRanks || file_ < 0 || fcntl(file_, F_OFD_SETLK, &lock) != 0)
    throw std::runtime_error("the file of the communicator cannot be opened");
  void* const memory = mmap(nullptr, sizeof(Region), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("the communicator cannot be mapped");
  region_ = static_cast<Region*>(memory);
  region_->ranks[rank].is_here = 1;
}

SharedRanks::~SharedRanks() {
  region_->ranks[rank_].is_gone = 1;
  unlink(path_.c_str());  // is there only if not all ranks came
  munmap(region_, sizeof(Region));
  close(file_);
}

void SharedRanks::connect() {
  for (int other = 0; other < ranks_; ++other)
    while (!region_->ranks[other].is_here) {
      if (is_aborted_) throw Aborted{};
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  unlink(path_.c_str());
}

void SharedRanks::run(const Call& call, void* data) {
  region_->ranks[rank_].call = call;
  meet();
  const Call first = region_->ranks[0].call;
  for (int other = 1; other < ranks_; ++other) {
    if (region_->ranks[other].call == first) continue;
    throw Mismatch{"rank " + std::to_string(other) + " calls " +
                   words_of(region_->ranks[other].call) + ", and rank 0 " + words_of(first)};
  }
  const std::size_t bytes = call.count * size_of(call.type);
  for (std::size_t done = 0; done < bytes; done += kPart) {
    const std::size_t size = std::min(kPart, bytes - done);
    unsigned char* const part = static_cast<unsigned char*>(data) + done;
    std::memcpy(region_->ranks[rank_].part, part, size);
    meet();
    std::memcpy(part, region_->ranks[0].part, size);
    for (int other = 1; other < ranks_ && call.kind == Call::Kind::sum; ++other)
      add(call.type, part, region_->ranks[other].part, size);
    meet();
  }
}

bool SharedRanks::finish() {
  region_->ranks[rank_].is_finished = 1;
  bool all = true;
  for (int other = 0; other < ranks_; ++other) {
    if (region_->ranks[other].is_finished) continue;
    if (region_->ranks[other].is_gone || !is_alive(other)) throw RankLost{};
    all = false;
  }
  return all;
}

/// Waits until all ranks have come here as often as this one.
void SharedRanks::meet() {
  const std::uint64_t times = ++region_->ranks[rank_].met;
  for (int other = 0; other < ranks_; ++other) {
    const Region::Rank& rank = region_->ranks[other];
    for (int looks = 0; rank.met < times; ++looks) {
      if (is_aborted_) throw Aborted{};
      const bool is_lost = rank.is_gone || (looks % 1000 == 999 && !is_alive(other));
      if (is_lost && rank.met < times) throw RankLost{};
      std::this_thread::yield();
    }
  }
}

/// Returns whether the process of a rank holds its lock.
bool SharedRanks::is_alive(int rank) const {
  if (rank == rank_) return true;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_start = rank;
  lock.l_len = 1;
  return fcntl(file_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace knead::engine::cuda
