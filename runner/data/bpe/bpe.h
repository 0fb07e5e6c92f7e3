#pragma once

#include <memory>
#include <optional>

#include "recipe.h"
#include "runner/data/bpe/added_tokens.h"
#include "runner/data/bpe/merges.h"
#include "runner/data/bpe/splitter.h"
#include "runner/data/text/tokenizer.h"

namespace knead::data {

/// A normal form of Unicode.
enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// A step by which text is cut into pieces: pieces are made to begin with a space, or are split, or
/// both.
struct Stage {
  bool adds_space = false;
  std::optional<Splitter> splitter;
};

/// What a file of byte-level byte pair encoding says, whichever format it is in.
struct BpeModel {
  Merges merges;
  AddedTokens raw;         // found in the text as it is
  AddedTokens normalized;  // found in what the normal forms make of it
  std::vector<NormalForm> normal_forms;
  std::vector<Stage> stages;     // each works on the pieces of the one before it
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

/// The text in a normal form. The text is UTF-8.
std::string normalize(std::string_view text, NormalForm form);

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
