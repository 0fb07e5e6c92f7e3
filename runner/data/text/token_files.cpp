#include "runner/data/text/token_files.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "runner/data/source/paths.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Widens `out.size()` tokens that lie packed at the beginning of the memory of `out`. Goes from
/// the last token to the first, so that no packed token is overwritten before it is read and no
/// other memory is needed.
template <class Token>
void widen(std::span<std::int64_t> out) {
  const auto* packed = reinterpret_cast<const std::byte*>(out.data());
  for (std::size_t i = out.size(); i-- > 0;) {
    Token token;
    std::memcpy(&token, packed + i * sizeof token, sizeof token);
    out[i] = static_cast<std::int64_t>(token);
  }
}

void widen(TokenDtype dtype, std::span<std::int64_t> out) {
  switch (dtype) {
    case TokenDtype::uint8: return widen<std::uint8_t>(out);
    case TokenDtype::uint16: return widen<std::uint16_t>(out);
    case TokenDtype::uint32: return widen<std::uint32_t>(out);
    case TokenDtype::int32: return widen<std::int32_t>(out);
    case TokenDtype::int64: return;
  }
}

}  // namespace

std::uint64_t bytes_of(TokenDtype dtype) {
  switch (dtype) {
    case TokenDtype::uint8: return 1;
    case TokenDtype::uint16: return 2;
    case TokenDtype::uint32:
    case TokenDtype::int32: return 4;
    case TokenDtype::int64: return 8;
  }
  return 1;
}

TokensInFiles::TokensInFiles(std::vector<TokenFile> files, std::uint64_t vocabulary)
    : files_(std::move(files)), vocabulary_(vocabulary) {
  std::uint64_t end = 0;
  for (const TokenFile& file : files_) ends_.push_back(end += file.count);
}

void TokensInFiles::read(std::uint64_t begin, std::span<std::int64_t> out) const {
  auto place =
      static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), begin) - ends_.begin());
  while (!out.empty()) {
    const TokenFile& file = files_[place];
    const std::uint64_t within = begin - (ends_[place] - file.count);
    const std::size_t count = std::min<std::uint64_t>(out.size(), file.count - within);
    read_part(file, within, out.first(count));
    out = out.subspan(count);
    begin += count;
    ++place;
  }
}

void TokensInFiles::read_part(const TokenFile& file, std::uint64_t begin,
                              std::span<std::int64_t> out) const {
  const std::uint64_t bytes = bytes_of(file.dtype);
  const std::uint64_t at = file.begin + begin * bytes;
  file.file.read(at, std::as_writable_bytes(out).first(out.size() * bytes));
  widen(file.dtype, out);
  // Tokens are checked when they are read and not when a file is opened, since reading whole files
  // may take hours.
  const auto most = vocabulary_ == 0 ? std::numeric_limits<std::int64_t>::max()
                                     : static_cast<std::int64_t>(vocabulary_) - 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] >= 0 && out[i] <= most) continue;
    throw Error(
        fmt::format(
            "{}: byte {} has the token {}, {}", file.file.path().string(), at + i * bytes, out[i],
            out[i] < 0 ? "which is negative" : fmt::format("the vocabulary is {}", vocabulary_)),
        "check dtype, header and vocabulary");
  }
}

std::shared_ptr<const TokenStream> open_tokens(const recipe::Tokens& tokens) {
  const auto paths = named_files(tokens.path.value());
  files::expect_open_files(paths.size());
  std::vector<TokenFile> files;
  for (const auto& path : paths) files.push_back(open_token_file(path, tokens));
  std::uint64_t vocabulary = 0;  // 0: no bound
  if (tokens.vocabulary) vocabulary = static_cast<std::uint64_t>(*tokens.vocabulary);
  return std::make_shared<const TokensInFiles>(std::move(files), vocabulary);
}

std::string TokensInFiles::name() const {
  return files_.size() == 1 ? files_[0].file.path().string()
                            : fmt::format("{} files of tokens", files_.size());
}

}  // namespace knead::data
