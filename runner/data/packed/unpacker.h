#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace knead::data {

/// Returns the next piece of packed bytes; an empty one at the end. A piece stays valid until the
/// next call. Exceptions that it throws pass through the unpacker.
using Pieces = std::function<std::string_view()>;

/// Gives the remedy for a packed file that cannot be unpacked.
inline constexpr const char* kDamaged = "the file is damaged: fetch or write it again";

/// Unpacks bytes piece by piece into memory of the caller, from the beginning to the end. Memory
/// does not grow with the file. One thread.
class Unpacker {
 public:
  virtual ~Unpacker() = default;

  /// Fills `out` and returns the number of bytes; fewer than asked for only at the end, after the
  /// checksums have been verified, and 0 from then on. So a caller reads until fewer bytes come
  /// than asked for; only then is the file known to be whole. Throws knead::Error with the offset
  /// in the packed file at which the file is damaged or cut short, or at which other data follow.
  virtual std::size_t read(std::span<char> out) = 0;
};

/// Lists the ways in which a file may be packed; `other` is recognised but not unpacked: bzip2, xz,
/// lz4 and compress.
enum class Packing { none, gzip, zstd, other };

/// Recognises the packing by the first kPackingBytes bytes of a file; a file with fewer bytes is
/// given whole. Returns Packing::none for all that it does not know.
Packing packing_of(std::string_view beginning);
constexpr std::size_t kPackingBytes = 6;

/// Returns the program that unpacks a file with this beginning, "unxz"; null if the file is not
/// packed. The text lives as long as the program.
const char* unpacking_program(std::string_view beginning);

/// Makes an unpacker for gzip or zstd. `pieces`: the packed bytes from offset 0 of the file on.
/// `name`: what is unpacked, for messages. Throws std::logic_error for another packing.
std::unique_ptr<Unpacker> make_unpacker(Packing packing, Pieces pieces, std::string name);

}  // namespace knead::data
