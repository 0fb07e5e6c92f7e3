#include "runner/files/digest.h"

#include <new>

#include <fmt/format.h>
#include <xxhash.h>

namespace knead::files {

namespace {

std::string hash_text(const XXH128_hash_t& hash) {
  // The canonical form of xxHash has the high half first, so the digits can be compared with
  // xxhsum's.
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string digest(std::string_view bytes) {
  return hash_text(XXH3_128bits(bytes.data(), bytes.size()));
}

RunningDigest::RunningDigest() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

RunningDigest::~RunningDigest() = default;

void RunningDigest::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

std::string RunningDigest::text() const { return hash_text(XXH3_128bits_digest(state_.get())); }

void RunningDigest::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

}  // namespace knead::files
