#include "runner/data/packed/unzstd.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "schema/document/error.h"

namespace knead::data {
namespace {

// Bytes given to zstd per call: a call that fails does not tell the position of the fault.
constexpr std::size_t kAtOnce = 1 << 14;

}  // namespace

void Unzstd::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

Unzstd::Unzstd(Pieces pieces, std::string name)
    : pieces_(std::move(pieces)), name_(std::move(name)), context_(ZSTD_createDCtx()) {
  if (!context_) throw std::bad_alloc();
}

bool Unzstd::take_piece() {
  if (piece_.empty()) piece_ = pieces_();
  return !piece_.empty();
}

std::size_t Unzstd::read(std::span<char> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const bool has_input = take_piece();
    if (!has_input && !may_hold_more_) {
      if (!is_in_frame_) break;
      throw Error(fmt::format("{}: cut short at byte {}", name_, at_), kDamaged);
    }
    if (!is_in_frame_) frame_at_ = at_;
    ZSTD_inBuffer from{piece_.data(), std::min(piece_.size(), kAtOnce), 0};
    ZSTD_outBuffer to{out.data() + done, out.size() - done, 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &to, &from);
    if (ZSTD_isError(left)) refuse(left, at_ + from.pos);
    piece_.remove_prefix(from.pos);
    at_ += from.pos;
    done += to.pos;
    is_in_frame_ = left != 0;
    // If the output was filled, zstd may hold further output and needs a call without new input.
    may_hold_more_ = is_in_frame_ && to.pos == to.size;
  }
  return done;
}

void Unzstd::refuse(std::size_t failure, std::uint64_t at) const {
  switch (ZSTD_getErrorCode(failure)) {
    case ZSTD_error_frameParameter_windowTooLarge:
      throw Error(fmt::format("{}: its frame at byte {} needs more than 128 MiB of memory", name_,
                              frame_at_),
                  "unpack it once: unzstd --long=31 FILE");
    case ZSTD_error_dictionary_wrong:
      throw Error(fmt::format("{}: packed with a dictionary (byte {})", name_, frame_at_),
                  "unpack it once: unzstd -D DICTIONARY FILE");
    case ZSTD_error_prefix_unknown:
      throw Error(fmt::format("{}: what follows at byte {} is no zstd", name_, frame_at_),
                  kDamaged);
    default:
      throw Error(fmt::format("{}: damaged at byte {} ({})", name_, at, ZSTD_getErrorName(failure)),
                  kDamaged);
  }
}

}  // namespace knead::data
