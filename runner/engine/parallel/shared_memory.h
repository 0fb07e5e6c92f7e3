#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace knead::engine::parallel {

/// Owns a file without a name whose memory processes of one machine share. It is gone with the last
/// process that has it, however that ends.
class SharedMemory {
 public:
  /// Makes an empty file. Check is_open().
  static SharedMemory make();
  /// Opens the file of another process by its address(). Check is_open().
  static SharedMemory open(const std::string& address);

  SharedMemory() = default;
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;

  /// Returns false if the system did not allow to make or open the file.
  bool is_open() const { return descriptor_ >= 0; }

  /// Returns a path by which processes of the same user find the file while this object lives.
  std::string address() const;

  /// Makes the file as long as `bytes`, with zeros. Returns whether that was possible. Nobody can
  /// make it shorter again.
  bool grow(std::size_t bytes) const;

  /// Maps a part of the file, which must be as long; `offset` is a multiple of the size of a page.
  /// Returns null if that is not possible.
  std::shared_ptr<std::byte> map(std::size_t offset, std::size_t bytes) const;

 private:
  int descriptor_ = -1;
};

}  // namespace knead::engine::parallel
