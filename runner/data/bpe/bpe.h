#pragma once

#include <memory>
#include <optional>

#include "recipe.h"
#include "runner/data/bpe/added_tokens.h"
#include "runner/data/bpe/merges.h"
#include "runner/data/bpe/normalizer.h"
#include "runner/data/bpe/pre_tokenizer.h"
#include "runner/data/bpe/tokenizer.h"

namespace knead::data {

/// What a file of byte pair encoding says, whichever format it is in.
struct BpeModel {
  Merges merges;
  AddedTokens raw;         // found in the text as it is
  AddedTokens normalized;  // found in what the normalizer makes of it
  std::vector<NormalizerStep> normalizer;
  std::vector<PreTokenizerStep> pre_tokenizer;
  bool spells_bytes = false;     // whether the words of the vocabulary are letters for bytes
  std::uint64_t vocabulary = 0;  // tokens are below it
  std::string kept_as;           // what the file is called in the folder of a run
};

/// Byte pair encoding with the vocabulary of a file. No token is added before or after a text.
class Bpe final : public Tokenizer {
 public:
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

/// Reads a tokenizer.json of Hugging Face's tokenizers. Throws knead::Error that names what is
/// wrong with it, or what it asks for that knead does not know.
BpeModel read_tokenizer_json(const std::filesystem::path& path);

/// Reads a file of tiktoken: a token in base64 and its number on each line. `split`: the pattern
/// that goes with it. Throws knead::Error with file and line.
BpeModel read_ranks(const std::filesystem::path& path, const std::string& split);

/// The tokenizer of a recipe, whichever format its file has. Throws as those two do, and where the
/// recipe says how text is split and the file does too, or neither does.
std::shared_ptr<const Tokenizer> open_bpe(const recipe::BpeTokenizer& options);

}  // namespace knead::data
