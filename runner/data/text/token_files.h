#pragma once

#include <memory>
#include <optional>

#include "recipe.h"
#include "runner/data/text/token_stream.h"
#include "runner/files/open_file.h"

namespace knead::data {

/// How a token lies in a file, little-endian.
enum class TokenDtype : std::uint8_t { uint8, uint16, uint32, int32, int64 };

std::uint64_t bytes_of(TokenDtype dtype);

/// A file whose tokens lie one behind the other.
struct TokenFile {
  files::OpenFile file;
  std::uint64_t begin = 0;  // the first token's byte
  std::uint64_t count = 0;  // tokens
  TokenDtype dtype = TokenDtype::uint16;
};

/// Files of tokens as one stream. Nothing of them is kept in memory.
class TokensInFiles final : public TokenStream {
 public:
  /// `vocabulary`: a token that is not below it is refused when it is read; 0: only negative ones.
  TokensInFiles(std::vector<TokenFile> files, std::uint64_t vocabulary);

  std::uint64_t size() const override { return ends_.back(); }
  void read(std::uint64_t begin, std::span<std::int64_t> out) const override;
  std::string name() const override;

 private:
  void read_part(const TokenFile& file, std::uint64_t begin, std::span<std::int64_t> out) const;

  std::vector<TokenFile> files_;
  std::vector<std::uint64_t> ends_;  // tokens of the files up to each
  std::uint64_t vocabulary_;
};

/// The files of a set as one stream. Throws as open_token_file does.
std::shared_ptr<const TokenStream> open_tokens(const recipe::Tokens& tokens);

/// Opens a file of tokens and checks it against its header, or for its size where it has none.
/// Throws knead::Error with file and byte of what does not fit.
TokenFile open_token_file(const std::filesystem::path& path, const recipe::Tokens& tokens);

}  // namespace knead::data
