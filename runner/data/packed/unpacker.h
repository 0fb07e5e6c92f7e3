#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace knead::data {

/// Gives packed bytes, a piece with each call, in order; an empty one when there are no more. A
/// piece stays as it is until the next call.
using Pieces = std::function<std::string_view()>;

/// What to do about a packed file that cannot be unpacked.
inline constexpr const char* kDamaged = "the file is damaged: fetch or write it again";

/// Unpacks bytes piece by piece, in as much memory as is asked for.
class Unpacker {
 public:
  virtual ~Unpacker() = default;

  /// Fills `out` as far as there is something; fewer only at the end, where the checksums of what
  /// was unpacked were found right. Throws knead::Error with the byte of the packed file at which
  /// it is damaged or cut short, or at which something else follows it.
  virtual std::size_t read(std::span<char> out) = 0;
};

/// How a file is packed.
enum class Packing { none, gzip, zstd, other };

/// What a file begins with says how it is packed; kPackingBytes of them are enough.
Packing packing_of(std::string_view beginning);
constexpr std::size_t kPackingBytes = 6;

/// The program that unpacks what begins so; a null pointer where it is not packed.
const char* unpacking_program(std::string_view beginning);

/// What unpacks gzip or zstd. `name`: what is unpacked, for messages.
std::unique_ptr<Unpacker> make_unpacker(Packing packing, Pieces pieces, std::string name);

}  // namespace knead::data
