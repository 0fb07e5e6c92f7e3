#pragma once

#include <cstdint>
#include <memory>

#include "runner/data/packed/unpacker.h"
#include "runner/files/mapped_file.h"

struct z_stream_s;

namespace knead::data {

/// Unpacks deflate data (RFC 1951), raw as in a zip archive or wrapped by gzip (RFC 1952); several
/// gzip members may follow one another, and zeros may follow the last. Checks the CRC-32 and the
/// length of each gzip member; raw data have no checksum.
class Inflater final : public Unpacker {
 public:
  /// Tells what surrounds the deflate data.
  enum class Wrapping { none, gzip };

  /// `pieces`: is called by read() when it needs input. `name`: what is unpacked, for messages.
  /// `begin`: offset of the packed bytes in the file, for messages. Throws std::bad_alloc if there
  /// is no memory for zlib's state.
  Inflater(Pieces pieces, Wrapping wrapping, std::string name, std::uint64_t begin);
  /// Unpacks bytes in memory, which must outlive this object. `name`: what is unpacked, for
  /// messages. `begin`: offset of the bytes in the file, for messages.
  Inflater(std::string_view compressed, Wrapping wrapping, std::string name, std::uint64_t begin);
  ~Inflater() override;
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Fills `out` as Unpacker::read() says. Throws knead::Error with the offset in the file if the
  /// data are damaged or cut short, or if something other than gzip follows a gzip member.
  std::size_t read(std::span<char> out) override;

 private:
  /// Fetches the next piece if the current one is used up. Returns false at the end of the input.
  bool take_piece();
  /// Moves to the next gzip member. Returns false if there is none.
  bool begin_next_member();
  /// Returns the offset in the file up to which bytes are unpacked.
  std::uint64_t place() const;

  Pieces pieces_;
  std::string_view piece_;  // unused rest of the current piece
  Wrapping wrapping_;
  std::string name_;
  std::uint64_t begin_;  // offset of the current member
  std::unique_ptr<z_stream_s> stream_;
  bool ended_ = false;
};

/// Unpacks all of `compressed` to exactly `size` bytes in new memory, which the result owns. Checks
/// before allocating memory that so few bytes can hold `size`: deflate packs by a factor of 1032 at
/// most, and files::most_unpacked() says what is unpacked. `name` and `begin`: as for Inflater.
/// Throws knead::Error if the data are damaged or have another size, or if there is not enough
/// memory.
files::Bytes inflate_all(std::string_view compressed, Inflater::Wrapping wrapping,
                         std::uint64_t size, const std::string& name, std::uint64_t begin);

/// Allocates `size` bytes, which are not initialised. `name`: the file, for the message. Throws
/// knead::Error if there is not enough memory.
std::shared_ptr<char[]> take_memory(std::uint64_t size, const std::string& name);

}  // namespace knead::data
