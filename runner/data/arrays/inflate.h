#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "runner/files/mapped_file.h"

struct z_stream_s;

namespace knead::data {

/// Unpacks deflated bytes piece by piece, in as much memory as is asked for. The compressed bytes
/// must outlive it.
class Inflater {
 public:
  enum class Wrapping { none, gzip };

  /// `name`: what is unpacked, for messages; `begin`: where its bytes stand in the file.
  Inflater(std::string_view compressed, Wrapping wrapping, std::string name, std::uint64_t begin);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Fills `out` as far as there is something; fewer only at the end, where a gzip file's own
  /// checksum was found right. Throws knead::Error with the byte of the file at which it is damaged
  /// or cut short.
  std::size_t read(std::span<char> out);

 private:
  bool begin_next_member();
  std::uint64_t place() const;

  std::string_view compressed_;
  Wrapping wrapping_;
  std::string name_;
  std::uint64_t begin_;
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
