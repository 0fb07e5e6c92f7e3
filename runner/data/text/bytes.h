#pragma once

#include "runner/data/bpe/tokenizer.h"

namespace knead::data {

/// Encodes each byte as the token of its value, 0 to 255: "é" in UTF-8 gives 195, 169. Can encode
/// any file, also one that is not text, and throws nothing but std::bad_alloc.
class Bytes final : public Tokenizer {
 public:
  std::uint64_t vocabulary() const override { return 256; }
  void encode(std::string_view text, const std::string& /*file*/,
              std::vector<std::uint32_t>& out) const override {
    for (const char byte : text) out.push_back(static_cast<unsigned char>(byte));
  }
  std::string decode(std::span<const std::uint32_t> tokens) const override {
    return {tokens.begin(), tokens.end()};
  }
  std::string words() const override { return "256 bytes"; }
  nlohmann::json description() const override { return {{"tokenizer", "bytes"}, {"size", 256}}; }
};

}  // namespace knead::data
