#pragma once

#include <memory>
#include <optional>

#include "recipe/text.h"
#include "runner/data/text/token_stream.h"
#include "runner/files/open_file.h"

namespace knead::data {

/// Lists the number types of tokens in files, all little-endian. It is not Dtype, which has no
/// unsigned types of 16 and 32 bits.
enum class TokenDtype : std::uint8_t { uint8, uint16, uint32, int32, int64 };

/// Returns the size of one token in a file in bytes.
std::uint64_t bytes_of(TokenDtype dtype);

/// Describes an open file with a contiguous sequence of tokens, from offset `begin` on. Nothing is
/// said about bytes behind the last token.
struct TokenFile {
  files::OpenFile file;
  std::uint64_t begin = 0;  // offset of the first token in bytes
  std::uint64_t count = 0;  // number of tokens
  TokenDtype dtype = TokenDtype::uint16;
};

/// Reads files of tokens as one stream, in the order of the files. Keeps no token in memory: each
/// read() reads from the files, whose content the system caches. The files stay open for the life
/// of the object.
class TokensInFiles final : public TokenStream {
 public:
  /// `files`: at least one; their types may differ, and a file without tokens is allowed.
  /// `vocabulary`: all tokens must be below; 0 for no bound. The constructor reads nothing: read()
  /// throws knead::Error with file and byte for a token that is negative or not below the bound.
  TokensInFiles(std::vector<TokenFile> files, std::uint64_t vocabulary);

  /// Returns the number of tokens of all files together.
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

/// Opens the files of a set as one stream, after it has raised the process's limit of open files
/// for them. Patterns and ranges in the paths are expanded as by named_files(). Checks headers and
/// sizes, but reads tokens only later. Throws knead::Error as named_files() and open_token_file()
/// do.
std::shared_ptr<const TokenStream> open_tokens(const recipe::Tokens& tokens);

/// Opens a file of tokens and checks its size against its header, or against the size of a token if
/// it has no header. `tokens.header` tells the format:
///
/// * llm.c: 256 int32 numbers (magic number, version, number of tokens), then the tokens; GPT-2
///   files in uint16 and Llama 3 files in uint32.
/// * Megatron: a .bin file of tokens and an index (MMIDIDX, version 1) with the extension .idx
///   beside it. Its sequences must lie one behind the other without gaps, and are read as one
///   stream.
/// * none: nothing but tokens, of the type `tokens.dtype`, else uint16. A file that begins with a
///   known header is refused.
///
/// Throws knead::Error with the file and the fault, also if the file is empty, is not there, or has
/// another type than the recipe states.
TokenFile open_token_file(const std::filesystem::path& path, const recipe::Tokens& tokens);

}  // namespace knead::data
