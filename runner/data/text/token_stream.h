#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace knead::data {

/// Provides a sequence of tokens from memory or files. A stream does not change once samples are
/// read from it, and sets may share it.
class TokenStream {
 public:
  virtual ~TokenStream() = default;

  /// Returns the number of tokens, which stays the same for the life of the stream.
  virtual std::uint64_t size() const = 0;

  /// Reads the tokens [begin, begin + out.size()), which must exist: the range is not checked.
  /// Several threads may call this at the same time. Throws knead::Error with file and byte if a
  /// file cannot be read or holds an invalid token.
  virtual void read(std::uint64_t begin, std::span<std::int64_t> out) const = 0;

  /// Returns a name for messages: the path of a single file, or the number of files: "3 files of
  /// text".
  virtual std::string name() const = 0;
};

/// Holds tokens in memory, each in 1, 2 or 4 bytes as the vocabulary requires: 1 byte up to a
/// vocabulary of 256, 2 bytes up to 65,536. First append() all tokens, then share the object as a
/// TokenStream.
class TokensInMemory final : public TokenStream {
 public:
  /// `name`: for messages. `vocabulary`: all tokens must be below; a greater one would lose its
  /// upper bits without an error.
  TokensInMemory(std::string name, std::uint64_t vocabulary);

  /// Adds tokens at the end. Not thread-safe: no other thread may read meanwhile.
  void append(std::span<const std::uint32_t> tokens);

  std::uint64_t size() const override;
  void read(std::uint64_t begin, std::span<std::int64_t> out) const override;
  std::string name() const override { return name_; }

 private:
  std::string name_;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>
      tokens_;
};

}  // namespace knead::data
