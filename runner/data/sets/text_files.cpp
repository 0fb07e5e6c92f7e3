#include "runner/data/sets/text_files.h"

#include <fmt/format.h>

#include "runner/data/bpe/bpe.h"
#include "runner/data/sets/data_files.h"
#include "runner/data/sets/kept.h"
#include "runner/data/sets/selection.h"
#include "runner/data/source/paths.h"
#include "runner/data/text/bytes.h"
#include "runner/data/text/characters.h"
#include "runner/data/text/token_files.h"
#include "runner/files/read.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

using TextFiles = std::vector<std::filesystem::path>;

std::shared_ptr<const Tokenizer> make(const recipe::CharacterTokenizer& /*options*/,
                                      const Opening& opening) {
  if (opening.alphabet.empty())
    throw Error(fmt::format("{} has tokenizer: characters, but data.train no text whose characters "
                            "it could share",
                            opening.set),
                "let both sets read text");
  return std::make_shared<const Characters>(opening.alphabet);
}

std::shared_ptr<const Tokenizer> make(const recipe::ByteTokenizer& /*options*/,
                                      const Opening& /*opening*/) {
  return std::make_shared<const Bytes>();
}

std::shared_ptr<const Tokenizer> make(const recipe::BpeTokenizer& options,
                                      const Opening& /*opening*/) {
  return open_bpe(options);
}

/// Returns what determines the tokenizer and the tokens of a text.
KeptKey key_of(std::string what, const recipe::Text& text, const Opening& opening) {
  KeptKey key{std::move(what), without_selection(text), files_of(text)};
  key.files.insert(key.files.end(), opening.alphabet.begin(), opening.alphabet.end());
  return key;
}

/// Returns the tokenizer that all sets share and makes it for the first set. Throws knead::Error if
/// a set asks for another one.
const Tokenizer& tokenizer_of(const recipe::Text& text, Opening& opening) {
  if (!opening.tokenizer) {
    opening.tokenizer_options = text.tokenizer;
    opening.tokenizer =
        std::static_pointer_cast<const Tokenizer>(kept(key_of("tokenizer", text, opening), [&] {
          return std::visit([&](const auto& options) { return make(options, opening); },
                            text.tokenizer);
        }));
  }
  if (opening.tokenizer_options == text.tokenizer) return *opening.tokenizer;
  throw Error(fmt::format("{} has another tokenizer than the set before it", opening.set),
              "a model has one vocabulary: write the same tokenizer, or 'like: train'");
}

std::string name_of(const TextFiles& files) {
  return files.size() == 1 ? files[0].string() : fmt::format("{} files of text", files.size());
}

/// Returns the bytes of files as tokens, which stay on the disk.
std::shared_ptr<const TokenStream> as_they_are(const TextFiles& files) {
  std::vector<TokenFile> parts;
  files::expect_open_files(files.size());
  for (const auto& path : files) {
    files::OpenFile file(path);
    const std::uint64_t size = file.size();
    parts.push_back({std::move(file), 0, size, TokenDtype::uint8});
  }
  return std::make_shared<const TokensInFiles>(std::move(parts), 0);
}

/// Encodes files into memory.
std::shared_ptr<const TokenStream> encoded(const TextFiles& files, const Tokenizer& tokenizer) {
  auto stream = std::make_shared<TokensInMemory>(name_of(files), tokenizer.vocabulary());
  std::vector<std::uint32_t> tokens;
  for (const auto& file : files) {
    tokens.clear();
    tokenizer.encode(files::read_text(file), file.string(), tokens);
    stream->append(tokens);
  }
  return stream;
}

}  // namespace

std::shared_ptr<const TokenStream> open_text(const recipe::Text& text, Opening& opening) {
  const TextFiles files = named_files(text.path.value());
  const Tokenizer& tokenizer = tokenizer_of(text, opening);
  std::shared_ptr<const TokenStream>& stream = opening.texts[files];
  if (stream) return stream;
  // A byte is its own token, so a text of bytes needs neither encoding nor memory.
  const bool is_plain = std::holds_alternative<recipe::ByteTokenizer>(text.tokenizer);
  return stream =
             std::static_pointer_cast<const TokenStream>(kept(key_of("text", text, opening), [&] {
               return is_plain ? as_they_are(files) : encoded(files, tokenizer);
             }));
}

}  // namespace knead::data
