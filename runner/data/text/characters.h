#pragma once

#include "runner/data/bpe/tokenizer.h"

namespace knead::data {

/// Encodes each character (Unicode code point) of the training text as a token, numbered in
/// ascending order of code points.
class Characters final : public Tokenizer {
 public:
  /// Reads the files and collects their characters. Throws knead::Error with file and byte if a
  /// file is not UTF-8.
  explicit Characters(const std::vector<std::filesystem::path>& files);

  std::uint64_t vocabulary() const override { return characters_.size(); }
  void encode(std::string_view text, const std::string& file,
              std::vector<std::uint32_t>& out) const override;
  std::string words() const override;
  nlohmann::json description() const override;

 private:
  std::vector<char32_t> characters_;  // by token, ascending
  std::vector<std::int32_t> tokens_;  // by character, up to the highest; -1: not in the vocabulary
};

}  // namespace knead::data
