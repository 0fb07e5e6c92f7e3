// Any bytes as what text and tokens are read from: a tokenizer.json, a file of ranks, files of
// tokens with each header, text. What is accepted must give tokens of its vocabulary; what is
// refused, a message.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

#include "runner/data/bpe/bpe.h"
#include "runner/data/text/characters.h"
#include "runner/data/text/token_files.h"
#include "schema/document/error.h"

namespace {

using namespace knead;
namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

fs::path written(const std::string& name, const std::string& bytes) {
  static const fs::path kFolder = [] {
    fs::path folder = fs::temp_directory_path() / ("knead-text-fuzz-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    return folder;
  }();
  std::ofstream(kFolder / name, std::ios::binary) << bytes;
  return kFolder / name;
}

template <class Read>
void expect_words(Read read) {
  try {
    read();
  } catch (const Error& error) {
    if (std::string(error.what()).empty()) fail("a refusal without words");
  }
}

void check_tokenizer(const data::Tokenizer& tokenizer) {
  std::vector<std::uint32_t> tokens;
  tokenizer.encode("It's 2024; the baker's d\xC3\xB6ugh\r\n  rises.", "text", tokens);
  for (const std::uint32_t token : tokens) {
    if (token >= tokenizer.vocabulary()) fail("a token beyond the vocabulary");
  }
}

void check_files(const fs::path& file, recipe::Tokens::Header header) {
  recipe::Tokens tokens{};
  tokens.header = header;
  tokens.path = {file};
  const auto stream = data::open_tokens(tokens);
  std::vector<std::int64_t> out(std::min<std::uint64_t>(stream->size(), 1000));
  stream->read(stream->size() - out.size(), out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const fs::path file = written("input.bin", bytes);
  expect_words([&] {
    recipe::BpeTokenizer options;
    options.file = file;
    check_tokenizer(*data::open_bpe(options));
  });
  expect_words([&] {
    recipe::BpeTokenizer options;
    options.file = file;
    options.split = recipe::BpeTokenizer::Split::cl100k;
    check_tokenizer(*data::open_bpe(options));
  });
  expect_words([&] { check_files(file, recipe::Tokens::Header::none); });
  expect_words([&] { check_files(file, recipe::Tokens::Header::llm_c); });
  written("input.idx", bytes);
  expect_words([&] { check_files(file, recipe::Tokens::Header::megatron); });
  expect_words([&] {
    const data::Characters characters({file});
    std::vector<std::uint32_t> tokens;
    characters.encode(bytes, "text", tokens);
    if (!tokens.empty() && characters.vocabulary() == 0) fail("tokens without a vocabulary");
  });
  return 0;
}
