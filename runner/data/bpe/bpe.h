#pragma once

#include <memory>
#include <optional>

#include "recipe/text.h"
#include "runner/data/bpe/added_tokens.h"
#include "runner/data/bpe/decoder.h"
#include "runner/data/bpe/merges.h"
#include "runner/data/bpe/normalizer.h"
#include "runner/data/bpe/pre_tokenizer.h"
#include "runner/data/bpe/tokenizer.h"

namespace knead::data {

/// Holds the parts of a byte pair encoding, independent of the format of its file. A text passes
/// through them in this order: words of `raw` are cut out, the rest is normalized, words of
/// `normalized` are cut out, the rest is split into pieces by the pre-tokenizer, and each piece is
/// encoded by the merges.
struct BpeModel {
  Merges merges;
  AddedTokens raw;         // found in the text as it is
  AddedTokens normalized;  // found in the normalized text
  std::vector<NormalizerStep> normalizer;
  std::vector<PreTokenizerStep> pre_tokenizer;
  /// Words of the added tokens, as the file has them.
  std::unordered_map<std::uint32_t, std::string> added_words;
  std::vector<DecoderStep> decoder;
  std::string undecodable;       // why tokens cannot become text; empty if they can
  bool spells_bytes = false;     // the words of the vocabulary are written in letters for bytes
  std::uint64_t vocabulary = 0;  // all tokens are below
  std::string kept_as;           // file name in a run's folder
  std::string split;             // pattern of a file of ranks, which does not say it
};

/// Encodes text with the byte pair encoding of a file, with the same tokens as the program that the
/// file was made for. Adds no token before or after a text. Immutable: threads may encode at the
/// same time.
class Bpe final : public Tokenizer {
 public:
  /// `model`: as read_tokenizer_json() or read_ranks() returned it. `file`: the file that the model
  /// was read from, of which a run keeps a copy.
  Bpe(BpeModel model, std::filesystem::path file);

  std::uint64_t vocabulary() const override { return model_.vocabulary; }
  /// Appends the tokens of a text. Caches the tokens of pieces during the call, because texts
  /// repeat their words. Throws knead::Error with `file` if the text is not UTF-8, if a byte or
  /// character has no token, or if a pattern takes too long.
  void encode(std::string_view text, const std::string& file,
              std::vector<std::uint32_t>& out) const override;
  /// Returns the text of tokens; bytes that are not UTF-8 stay as they are. Throws knead::Error if
  /// the file asks for a decoder that knead does not support.
  std::string decode(std::span<const std::uint32_t> tokens) const override;
  std::string words() const override;
  nlohmann::json description() const override;
  std::optional<std::filesystem::path> file() const override { return file_; }

 private:
  class Encoding;

  BpeModel model_;
  std::filesystem::path file_;
};

/// Reads a tokenizer.json of Hugging Face's tokenizers library with a model of type BPE.
/// Post-processors are ignored, because nothing is added to a text. Throws knead::Error that names
/// the fault with its line and column, or the step or option that knead
/// does not support.
BpeModel read_tokenizer_json(const std::filesystem::path& path);

/// Reads a file of tiktoken, which has a token in base64 and its number on each line: "IQ== 0".
/// Lower numbers are merged first. `split`: the pattern that splits a text into pieces. Throws
/// knead::Error with file and line.
BpeModel read_ranks(const std::filesystem::path& path, const std::string& split);

/// Opens the tokenizer of a recipe in either format; a file that begins with { is a tokenizer.json.
/// Throws as read_tokenizer_json() and read_ranks() do, and if tokenizer.split is given for a
/// tokenizer.json or missing for a tiktoken file.
std::shared_ptr<const Tokenizer> open_bpe(const recipe::BpeTokenizer& options);

}  // namespace knead::data
