#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace knead::data {

/// Tokens one after another, as many as there are, wherever they lie.
class TokenStream {
 public:
  virtual ~TokenStream() = default;

  virtual std::uint64_t size() const = 0;

  /// Tokens [begin, begin + out.size()), which the stream has. Threads may call it at the same
  /// time. Throws knead::Error with file and byte of what cannot be read or is no token.
  virtual void read(std::uint64_t begin, std::span<std::int64_t> out) const = 0;

  /// What it is called in messages: its file, or how many files it has.
  virtual std::string name() const = 0;
};

/// Tokens in memory, in as few bytes each as the vocabulary lets them have.
class TokensInMemory final : public TokenStream {
 public:
  /// `vocabulary`: the tokens are below it.
  TokensInMemory(std::string name, std::uint64_t vocabulary);

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
