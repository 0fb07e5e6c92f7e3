#pragma once

#include <cstdint>
#include <memory>

#include "runner/data/packed/unpacker.h"
#include "runner/files/mapped_file.h"

struct z_stream_s;

namespace knead::data {

/// What deflate packs, as it is (in a zip archive) or wrapped by gzip, also several gzip files one
/// after another.
class Inflater final : public Unpacker {
 public:
  enum class Wrapping { none, gzip };

  /// `name`: what is unpacked, for messages; `begin`: where its bytes stand in the file.
  Inflater(Pieces pieces, Wrapping wrapping, std::string name, std::uint64_t begin);
  /// The same of bytes that lie in memory and outlive it.
  Inflater(std::string_view compressed, Wrapping wrapping, std::string name, std::uint64_t begin);
  ~Inflater() override;
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::size_t read(std::span<char> out) override;

 private:
  bool take_piece();
  bool begin_next_member();
  std::uint64_t place() const;

  Pieces pieces_;
  std::string_view piece_;  // what is left of it
  Wrapping wrapping_;
  std::string name_;
  std::uint64_t begin_;  // of the member that is being read
  std::unique_ptr<z_stream_s> stream_;
  bool ended_ = false;
};

/// All of what `compressed` holds, which must be `size` bytes. Refuses a size that so few bytes
/// cannot hold before it takes memory. Throws knead::Error.
files::Bytes inflate_all(std::string_view compressed, Inflater::Wrapping wrapping,
                         std::uint64_t size, const std::string& name, std::uint64_t begin);

/// Memory for so many bytes. Throws knead::Error that names the file where there is not so much.
std::shared_ptr<char[]> take_memory(std::uint64_t size, const std::string& name);

}  // namespace knead::data
