#pragma once

#include "runner/data/bpe/tokenizer.h"

namespace knead::data {

/// A token for each character (code point) that the training set has, in their order.
class Characters final : public Tokenizer {
 public:
  /// Reads the files to see which characters there are. Throws knead::Error with file and byte
  /// where one is not UTF-8.
  explicit Characters(const std::vector<std::filesystem::path>& files);

  std::uint64_t vocabulary() const override { return characters_.size(); }
  void encode(std::string_view text, const std::string& file,
              std::vector<std::uint32_t>& out) const override;
  std::string words() const override;
  nlohmann::json description() const override;

 private:
  std::vector<char32_t> characters_;  // by token, ascending
  std::vector<std::int32_t> tokens_;  // by character up to the last one; -1: not in the vocabulary
};

}  // namespace knead::data
