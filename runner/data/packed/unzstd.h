#pragma once

#include <cstdint>

#include "runner/data/packed/unpacker.h"

struct ZSTD_DCtx_s;

namespace knead::data {

/// What zstd packs (RFC 8878), also several frames one after another. Frames may have no checksum:
/// then damage may unpack to something else.
class Unzstd final : public Unpacker {
 public:
  /// `name`: what is unpacked, for messages.
  Unzstd(Pieces pieces, std::string name);

  std::size_t read(std::span<char> out) override;

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  bool take_piece();
  [[noreturn]] void refuse(std::size_t failure, std::uint64_t at) const;

  Pieces pieces_;
  std::string name_;
  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
  std::string_view piece_;      // what is left of it
  std::uint64_t at_ = 0;        // in the packed file, of what is left
  std::uint64_t frame_at_ = 0;  // of the frame that is being read
  bool is_in_frame_ = true;     // at the beginning too: there is at least one
  bool may_hold_more_ = false;  // unpacked, and did not fit
};

}  // namespace knead::data
