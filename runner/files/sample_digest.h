#pragma once

#include <filesystem>
#include <string>

namespace knead::files {

/// Returns a text that identifies a file without reading all of it: its size and the XXH3-128
/// digest of 16 blocks of 64 KiB spread over it, or of all bytes of a file of up to 1 MiB. An empty
/// file gives "0 bytes, 99aa06d3014798d86001c324468d497f".
///
/// Files of equal size that differ only outside of the blocks have the same text. It detects that
/// another file was put in the place of the first, or that the file was cut or extended; it does
/// not prove that every byte is unchanged. The spacing of the blocks is rounded down, so that up to
/// 14 bytes at the end of a larger file may lie outside of them too. Checkpoints hold this text,
/// and a run whose text differs is not resumed, so the blocks must keep their places. Reads at most
/// 1 MiB. Throws knead::Error if the file cannot be read.
std::string sample_digest(const std::filesystem::path& path);

}  // namespace knead::files
