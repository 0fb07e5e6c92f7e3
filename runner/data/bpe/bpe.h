#pragma once

#include <memory>
#include <optional>

#include "recipe/text.h"
#include "runner/data/bpe/added_tokens.h"
#include "runner/data/bpe/merges.h"
#include "runner/data/bpe/normalizer.h"
#include "runner/data/bpe/pre_tokenizer.h"
#include "runner/data/bpe/tokenizer.h"

namespace knead::data {

/// Holds the parts of a byte pair encoding, independent of the format of its file.
struct BpeModel {
  Merges merges;
  AddedTokens raw;         // found in the text as it is
  AddedTokens normalized;  // found in the normalized text
  std::vector<NormalizerStep> normalizer;
  std::vector<PreTokenizerStep> pre_tokenizer;
  bool spells_bytes = false;     // the words of the vocabulary are written in letters for bytes
  std::uint64_t vocabulary = 0;  // all tokens are below
  std::string kept_as;           // file name in a run's folder
};

/// Encodes text with the byte pair encoding of a file. Adds no token before or after a text.
class Bpe final : public Tokenizer {
 public:
  /// `file`: the file that the model was read from.
  Bpe(BpeModel model, std::filesystem::path file);

  std::uint64_t vocabulary() const override { return model_.vocabulary; }
  void encode(std::string_view text, const std::string& file,
              std::vector<std::uint32_t>& out) const override;
  std::string words() const override;
  nlohmann::json description() const override;
  std::optional<std::filesystem::path> file() const override { return file_; }

 private:
  class Encoding;

  BpeModel model_;
  std::filesystem::path file_;
};

/// Reads a tokenizer.json of Hugging Face's tokenizers library. Throws knead::Error that names the
/// fault, or the feature that knead does not support.
BpeModel read_tokenizer_json(const std::filesystem::path& path);

/// Reads a file of tiktoken, which has a token in base64 and its number on each line. `split`: the
/// pattern that splits a text into pieces. Throws knead::Error with file and line.
BpeModel read_ranks(const std::filesystem::path& path, const std::string& split);

/// Opens the tokenizer of a recipe in either format. Throws as read_tokenizer_json() and
/// read_ranks() do, and if tokenizer.split is given for a tokenizer.json or missing for a tiktoken
/// file.
std::shared_ptr<const Tokenizer> open_bpe(const recipe::BpeTokenizer& options);

}  // namespace knead::data
