#pragma once

#include <cstdint>

#include "runner/data/packed/unpacker.h"

struct ZSTD_DCtx_s;

namespace knead::data {

/// Unpacks zstd data (RFC 8878); several frames may follow one another, and skippable frames are
/// skipped. Damage in a frame without a checksum may stay unnoticed.
class Unzstd final : public Unpacker {
 public:
  /// `pieces`: is called by read() when it needs input. `name`: what is unpacked, for messages.
  /// Throws std::bad_alloc if there is no memory for zstd's context.
  Unzstd(Pieces pieces, std::string name);

  /// Fills `out` as Unpacker::read() says. Throws knead::Error with the offset if the data are
  /// damaged or cut short, and with a remedy if a frame needs a dictionary or a window of more than
  /// 128 MiB.
  std::size_t read(std::span<char> out) override;

 private:
  /// Frees a context of zstd.
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  /// Fetches the next piece if the current one is used up. Returns false at the end of the input.
  bool take_piece();
  /// Throws knead::Error for an error code of zstd at offset `at`.
  [[noreturn]] void refuse(std::size_t failure, std::uint64_t at) const;

  Pieces pieces_;
  std::string name_;
  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
  std::string_view piece_;      // unused rest of the current piece
  std::uint64_t at_ = 0;        // offset of that rest in the packed file
  std::uint64_t frame_at_ = 0;  // offset of the current frame
  bool is_in_frame_ = true;     // true at first: a file has at least one frame
  bool may_hold_more_ = false;  // zstd may hold unpacked bytes that did not fit into `out`
};

}  // namespace knead::data
