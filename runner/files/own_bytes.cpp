#include "runner/files/own_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace knead::files {
namespace {

constexpr std::size_t kAnyAlignment = alignof(std::max_align_t);

}  // namespace

OwnBytes::OwnBytes(std::size_t size, std::byte value) : OwnBytes(size) {
  if (size > 0) std::memset(first_, std::to_integer<int>(value), size);
}

OwnBytes::OwnBytes(const std::byte* first, const std::byte* last)
    : OwnBytes(static_cast<std::size_t>(last - first)) {
  if (size_ > 0) std::memcpy(first_, first, size_);
}

OwnBytes::~OwnBytes() {
  if (first_) memory_->deallocate(first_, size_, kAnyAlignment);
}

void OwnBytes::resize(std::size_t size) {
  if (size == size_) return;
  std::byte* first = nullptr;
  if (size > 0) first = static_cast<std::byte*>(memory_->allocate(size, kAnyAlignment));
  if (first && first_) std::memcpy(first, first_, std::min(size, size_));
  if (first_) memory_->deallocate(first_, size_, kAnyAlignment);
  first_ = first;
  size_ = size;
}

void OwnBytes::swap(OwnBytes& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(first_, other.first_);
  std::swap(size_, other.size_);
}

bool operator==(const OwnBytes& a, const OwnBytes& b) noexcept {
  return a.size_ == b.size_ && (a.size_ == 0 || std::memcmp(a.first_, b.first_, a.size_) == 0);
}

}  // namespace knead::files
