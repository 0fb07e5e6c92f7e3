#pragma once

#include <string>

#include <zstd.h>

#include "tests/data/arrays/bytes.h"

/// Packed bytes, as others would write them.

namespace knead::tests {

inline std::string gzipped(const std::string& bytes) { return deflated(bytes, true); }

/// With a checksum, as the program zstd has it.
inline std::string zstd_packed(const std::string& bytes) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return out;
}

/// A frame of zstd's that is passed over.
inline std::string skipped_frame() { return little(0x184D2A50, 4) + little(3, 4) + "xyz"; }

}  // namespace knead::tests
