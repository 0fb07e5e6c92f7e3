#pragma once

#include <memory>
#include <optional>

#include "recipe/text.h"
#include "runner/data/text/token_stream.h"
#include "runner/files/open_file.h"

namespace knead::data {

/// Lists the number types of tokens in files, all little-endian.
enum class TokenDtype : std::uint8_t { uint8, uint16, uint32, int32, int64 };

std::uint64_t bytes_of(TokenDtype dtype);

/// Describes a file with a contiguous sequence of tokens.
struct TokenFile {
  files::OpenFile file;
  std::uint64_t begin = 0;  // offset of the first token in bytes
  std::uint64_t count = 0;  // number of tokens
  TokenDtype dtype = TokenDtype::uint16;
};

/// Reads files of tokens as one stream. Keeps no token in memory.
class TokensInFiles final : public TokenStream {
 public:
  /// `vocabulary`: tokens must be below; 0 for no bound. read() throws knead::Error for a token
  /// that is negative or not below.
  TokensInFiles(std::vector<TokenFile> files, std::uint64_t vocabulary);

  std::uint64_t size() const override { return ends_.back(); }
  void read(std::uint64_t begin, std::span<std::int64_t> out) const override;
  std::string name() const override;

 private:
  /// Reads and checks tokens of one file; `begin` counts tokens of that file.
  void read_part(const TokenFile& file, std::uint64_t begin, std::span<std::int64_t> out) const;

  std::vector<TokenFile> files_;
  std::vector<std::uint64_t> ends_;  // number of tokens up to the end of each file
  std::uint64_t vocabulary_;
};

/// Opens the files of a set as one stream. Throws as open_token_file() does.
std::shared_ptr<const TokenStream> open_tokens(const recipe::Tokens& tokens);

/// Opens a file of tokens and checks its size against its header, or against the size of a token if
/// it has no header. Throws knead::Error with the file and the fault.
TokenFile open_token_file(const std::filesystem::path& path, const recipe::Tokens& tokens);

}  // namespace knead::data
