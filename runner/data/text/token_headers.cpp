#include <string_view>

#include <fmt/format.h>

#include "runner/data/source/packed_format.h"
#include "runner/data/text/token_files.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

using Header = recipe::Tokens::Header;
using files::OpenFile;

template <class Number>
Number number_at(const OpenFile& file, std::uint64_t at) {
  Number number;
  file.read(at, std::as_writable_bytes(std::span(&number, 1)));
  return number;
}

std::string name_of(const OpenFile& file) { return file.path().string(); }

std::optional<TokenDtype> written_dtype(const recipe::Tokens& tokens) {
  if (!tokens.dtype) return std::nullopt;
  switch (*tokens.dtype) {
    case recipe::Tokens::Dtype::uint16: return TokenDtype::uint16;
    case recipe::Tokens::Dtype::uint32: return TokenDtype::uint32;
    case recipe::Tokens::Dtype::int32: return TokenDtype::int32;
    case recipe::Tokens::Dtype::int64: return TokenDtype::int64;
  }
  return std::nullopt;
}

std::string_view word_of(TokenDtype dtype) {
  switch (dtype) {
    case TokenDtype::uint8: return "uint8";
    case TokenDtype::uint16: return "uint16";
    case TokenDtype::uint32: return "uint32";
    case TokenDtype::int32: return "int32";
    case TokenDtype::int64: return "int64";
  }
  return "";
}

/// Throws knead::Error if the recipe states another type than the header.
void expect_dtype(const OpenFile& file, TokenDtype found, const recipe::Tokens& tokens) {
  const auto written = written_dtype(tokens);
  if (!written || *written == found) return;
  throw Error(fmt::format("{}: the header says {}, the recipe {}", name_of(file), word_of(found),
                          word_of(*written)),
              "leave out dtype: the header knows it");
}

// --- llm.c: a header of 256 int32 numbers, then the tokens ---

constexpr std::uint64_t kHeaderBytes = 256 * 4;
constexpr std::int32_t kShortTokens = 20240520;  // GPT-2 tokens in uint16
constexpr std::int32_t kLongTokens = 20240801;   // Llama 3 tokens in uint32
constexpr std::int32_t kQuestions = 20240522;    // multiple-choice questions for evaluation

// Recognises a header that the recipe does not name, since it would be trained on as tokens.
bool looks_like_llm_c(const OpenFile& file) {
  if (file.size() < kHeaderBytes) return false;
  const auto magic = number_at<std::int32_t>(file, 0);
  return magic == kShortTokens || magic == kLongTokens;
}

TokenFile open_llm_c(OpenFile file, const recipe::Tokens& tokens) {
  if (file.size() < kHeaderBytes) {
    throw Error(fmt::format("{}: {} bytes, the header of llm.c has {}", name_of(file), file.size(),
                            kHeaderBytes),
                "the file is cut off, or has no such header: header: none");
  }
  const auto magic = number_at<std::int32_t>(file, 0);
  if (magic == kQuestions) {
    throw Error(fmt::format("{}: these are questions to evaluate by (llm.c's {}), no text",
                            name_of(file), magic),
                "name a file of tokens");
  }
  if (magic != kShortTokens && magic != kLongTokens) {
    throw Error(fmt::format("{}: begins with {}, files of llm.c with {} or {}", name_of(file),
                            magic, kShortTokens, kLongTokens),
                "write header: none for a file that is nothing but tokens");
  }
  const auto version = number_at<std::int32_t>(file, 4);
  if (version != (magic == kShortTokens ? 1 : 7)) {
    throw Error(fmt::format("{}: byte 4 has version {}, knead reads {}", name_of(file), version,
                            magic == kShortTokens ? 1 : 7));
  }
  const TokenDtype dtype = magic == kShortTokens ? TokenDtype::uint16 : TokenDtype::uint32;
  expect_dtype(file, dtype, tokens);
  const std::uint64_t count = number_at<std::uint32_t>(file, 8);
  if (file.size() != kHeaderBytes + count * bytes_of(dtype)) {
    throw Error(fmt::format("{}: the header says {} tokens of {}, which makes {} bytes; it has {}",
                            name_of(file), count, word_of(dtype),
                            kHeaderBytes + count * bytes_of(dtype), file.size()),
                "the file is cut off or was changed: fetch it again");
  }
  return {std::move(file), kHeaderBytes, count, dtype};
}

// --- Megatron: tokens in a .bin file, described by the .idx file beside it ---

constexpr std::string_view kMagic("MMIDIDX\0\0", 9);
constexpr std::uint64_t kLengthsAt = 34;  // offset of the lengths of sequences in an index

TokenDtype dtype_of_code(const OpenFile& index, std::uint8_t code) {
  switch (code) {
    case 1: return TokenDtype::uint8;
    case 4: return TokenDtype::int32;
    case 5: return TokenDtype::int64;
    case 8: return TokenDtype::uint16;
    default:
      throw Error(
          fmt::format("{}: byte 17 has the number type {}; tokens are of 1 (uint8), 4 "
                      "(int32), 5 (int64) or 8 (uint16)",
                      name_of(index), code));
  }
}

OpenFile open_index(const std::filesystem::path& payload) {
  std::filesystem::path path = payload;
  OpenFile index(path.replace_extension(".idx"));
  if (index.size() < kLengthsAt || index.beginning(kMagic.size()) != kMagic)
    throw Error(fmt::format("{}: does not begin as an index of Megatron", name_of(index)),
                "write header: none for a file that is nothing but tokens");
  if (const auto version = number_at<std::uint64_t>(index, 9); version != 1)
    throw Error(fmt::format("{}: byte 9 has version {}, knead reads 1", name_of(index), version));
  return index;
}

/// Counts the tokens of all sequences, which must be adjacent in the payload.
std::uint64_t count_tokens(const OpenFile& index, std::uint64_t sequences, std::uint64_t item) {
  constexpr std::uint64_t kAtOnce = 1 << 16;
  std::vector<std::int32_t> lengths;
  std::vector<std::int64_t> offsets;
  std::uint64_t count = 0;
  for (std::uint64_t done = 0; done < sequences; done += lengths.size()) {
    lengths.resize(std::min(kAtOnce, sequences - done));
    offsets.resize(lengths.size());
    index.read(kLengthsAt + done * 4, std::as_writable_bytes(std::span(lengths)));
    index.read(kLengthsAt + sequences * 4 + done * 8, std::as_writable_bytes(std::span(offsets)));
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (lengths[i] < 0 || offsets[i] != static_cast<std::int64_t>(count * item))
        throw Error(fmt::format("{}: sequence {} has {} tokens at byte {} of the payload, the ones "
                                "before it end at byte {}",
                                name_of(index), done + i, lengths[i], offsets[i], count * item),
                    "knead reads sequences that lie one behind the other");
      count += static_cast<std::uint64_t>(lengths[i]);
    }
  }
  return count;
}

TokenFile open_megatron(OpenFile file, const recipe::Tokens& tokens) {
  const OpenFile index = open_index(file.path());
  const TokenDtype dtype = dtype_of_code(index, number_at<std::uint8_t>(index, 17));
  expect_dtype(file, dtype, tokens);
  const auto sequences = number_at<std::uint64_t>(index, 18);
  const auto documents = number_at<std::uint64_t>(index, 26);
  const std::uint64_t room = index.size() - kLengthsAt;
  // Divides before it multiplies, because the product of damaged numbers may overflow.
  if (sequences > room / 12 || documents > room / 8 || sequences * 12 + documents * 8 > room)
    throw Error(fmt::format("{}: {} sequences and {} documents do not fit into {} bytes",
                            name_of(index), sequences, documents, index.size()),
                "the file is cut off or was changed: fetch it again");
  const std::uint64_t item = bytes_of(dtype);
  const std::uint64_t count = count_tokens(index, sequences, item);
  if (file.size() != count * item)
    throw Error(fmt::format("{}: the index says {} tokens of {}, which makes {} bytes; it has {}",
                            name_of(file), count, word_of(dtype), count * item, file.size()),
                "the file is cut off or was changed: fetch it again");
  return {std::move(file), 0, count, dtype};
}

// --- files without a header ---

/// Throws knead::Error if a file without a declared header begins with a known one.
void expect_no_header(const OpenFile& file) {
  if (looks_like_llm_c(file))
    throw Error(fmt::format("{}: begins with a header of llm.c", name_of(file)),
                "write header: llm.c");
  const std::string beginning = file.beginning(kMagic.size());
  if (beginning.starts_with("\x93NUMPY"))
    throw Error(fmt::format("{}: is an array of numpy (.npy)", name_of(file)),
                "write its tokens with tofile(), without a header");
  expect_unpacked(file.beginning(12), name_of(file));
  if (beginning == kMagic)
    throw Error(fmt::format("{}: is an index of Megatron", name_of(file)),
                "name the .bin beside it, and write header: megatron");
}

TokenFile open_plain(OpenFile file, const recipe::Tokens& tokens) {
  expect_no_header(file);
  TokenDtype dtype = TokenDtype::uint16;  // the default, if the recipe names no type
  if (const auto written = written_dtype(tokens)) dtype = *written;
  const std::uint64_t item = bytes_of(dtype);
  if (file.size() % item != 0)
    throw Error(fmt::format("{}: {} bytes are no whole number of tokens of {}", name_of(file),
                            file.size(), word_of(dtype)),
                "the file is cut off, or its dtype is another");
  const std::uint64_t count = file.size() / item;
  return {std::move(file), 0, count, dtype};
}

}  // namespace

TokenFile open_token_file(const std::filesystem::path& path, const recipe::Tokens& tokens) {
  OpenFile file(path);
  if (file.size() == 0)
    throw Error(fmt::format("{}: the file is empty", name_of(file)), "give a file of tokens");
  switch (tokens.header) {
    case Header::llm_c: return open_llm_c(std::move(file), tokens);
    case Header::megatron: return open_megatron(std::move(file), tokens);
    case Header::none: break;
  }
  return open_plain(std::move(file), tokens);
}

}  // namespace knead::data
