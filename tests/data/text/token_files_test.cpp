#include "runner/data/text/token_files.h"

#include <chrono>
#include <fstream>

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;
using Dtype = recipe::Tokens::Dtype;
using Header = recipe::Tokens::Header;

namespace {

std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

std::string packed(const std::vector<std::uint64_t>& numbers, int bytes) {
  std::string out;
  for (const std::uint64_t number : numbers) out += little(number, bytes);
  return out;
}

std::string llm_c(const std::vector<std::uint64_t>& tokens, bool is_long = false) {
  std::string header = little(is_long ? 20240801 : 20240520, 4) + little(is_long ? 7 : 1, 4) +
                       little(tokens.size(), 4);
  header.resize(1024);
  return header + packed(tokens, is_long ? 4 : 2);
}

/// The index of sequences of these lengths, of uint16 tokens.
std::string megatron(const std::vector<std::uint64_t>& lengths, std::uint64_t dtype = 8) {
  std::string offsets;
  std::uint64_t at = 0;
  for (const std::uint64_t length : lengths) {
    offsets += little(at, 8);
    at += length * 2;
  }
  return std::string("MMIDIDX\0\0", 9) + little(1, 8) + little(dtype, 1) +
         little(lengths.size(), 8) + little(2, 8) + packed(lengths, 4) + offsets +
         packed({0, lengths.size()}, 8);
}

recipe::Tokens options(Header header = Header::none, std::optional<Dtype> dtype = std::nullopt) {
  recipe::Tokens out{};
  out.header = header;
  out.dtype = dtype;
  return out;
}

/// All tokens of a file, and of the index beside it.
std::vector<std::int64_t> tokens_in(const std::string& bytes, recipe::Tokens tokens,
                                    const std::string& index = "") {
  const tests::Folder folder;
  if (!index.empty()) folder.write("FILE.idx", index);
  tokens.path = {folder.write("FILE.bin", bytes)};
  try {
    const auto stream = data::open_tokens(tokens);
    std::vector<std::int64_t> out(stream->size());
    stream->read(0, out);
    return out;
  } catch (const Error& error) {
    std::string message = error.what();
    const std::string path = folder.path().string() + "/";
    for (std::size_t at; (at = message.find(path)) != message.npos;) message.erase(at, path.size());
    throw Error(message, error.remedy());
  }
}

long resident_pages() {
  long all = 0;
  long resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

std::string complaint(const std::string& bytes, const recipe::Tokens& tokens,
                      const std::string& index = "") {
  try {
    tokens_in(bytes, tokens, index);
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace

TEST_CASE("tokens of every size and header are read as what they are") {
  const std::vector<std::int64_t> wanted{1, 2, 500};
  CHECK(tokens_in(packed({1, 2, 500}, 2), options()) == wanted);
  CHECK(tokens_in(packed({1, 2, 500}, 4), options(Header::none, Dtype::uint32)) == wanted);
  CHECK(tokens_in(packed({1, 2, 500}, 4), options(Header::none, Dtype::int32)) == wanted);
  CHECK(tokens_in(packed({1, 2, 500}, 8), options(Header::none, Dtype::int64)) == wanted);
  CHECK(tokens_in(llm_c({1, 2, 500}), options(Header::llm_c)) == wanted);
  CHECK(tokens_in(llm_c({1, 2, 500}, true), options(Header::llm_c)) == wanted);
  CHECK(tokens_in(packed({1, 2, 500}, 2), options(Header::megatron), megatron({1, 2})) == wanted);
  CHECK(tokens_in(packed({65535}, 2), options()) == std::vector<std::int64_t>{65535});
  CHECK(tokens_in(packed({4294967295}, 4), options(Header::none, Dtype::uint32)) ==
        std::vector<std::int64_t>{4294967295});
}

TEST_CASE("several files are one stream") {
  const tests::Folder folder;
  recipe::Tokens tokens = options();
  folder.write("b-2.bin", packed({4, 5}, 2));
  folder.write("b-1.bin", packed({3}, 2));
  tokens.path = {folder.write("a.bin", packed({1, 2}, 2)), folder.path() / "b-*.bin"};
  const auto stream = data::open_tokens(tokens);
  CHECK(stream->name() == "3 files of tokens");
  REQUIRE(stream->size() == 5);
  for (std::uint64_t begin = 0; begin < 5; ++begin) {
    std::vector<std::int64_t> out(5 - begin);
    stream->read(begin, out);
    for (std::size_t i = 0; i < out.size(); ++i)
      CHECK(out[i] == static_cast<std::int64_t>(begin + i + 1));
  }
  tokens.path = {folder.path() / "c-*.bin"};
  CHECK_THROWS_WITH(data::open_tokens(tokens), Catch::StartsWith("no file matches "));
}

TEST_CASE("a token that cannot be one is named with its byte") {
  CHECK(complaint(packed({1, 4294967295}, 4), options(Header::none, Dtype::int32)) ==
        "FILE.bin: byte 4 has the token -1, which is negative");
  recipe::Tokens few = options(Header::llm_c);
  few.vocabulary = 500;
  CHECK(complaint(llm_c({499, 500}), few) ==
        "FILE.bin: byte 1026 has the token 500, the vocabulary is 500");
}

TEST_CASE("headers that lie are refused") {
  CHECK(complaint(llm_c({1, 2}) + "x", options(Header::llm_c)) ==
        "FILE.bin: the header says 2 tokens of uint16, which makes 1028 bytes; it has 1029");
  CHECK(complaint(packed({1, 2}, 2), options(Header::llm_c)) ==
        "FILE.bin: 4 bytes, the header of llm.c has 1024");
  CHECK(complaint(std::string(1028, '\1'), options(Header::llm_c)) ==
        "FILE.bin: begins with 16843009, files of llm.c with 20240520 or 20240801");
  CHECK(complaint(little(20240522, 4) + std::string(1024, '\0'), options(Header::llm_c)) ==
        "FILE.bin: these are questions to evaluate by (llm.c's 20240522), no text");
  CHECK(complaint(little(20240520, 4) + little(3, 4) + std::string(1016, '\0'),
                  options(Header::llm_c)) == "FILE.bin: byte 4 has version 3, knead reads 1");
  CHECK(complaint(llm_c({1}), options(Header::llm_c, Dtype::int64)) ==
        "FILE.bin: the header says uint16, the recipe int64");
  CHECK(complaint(llm_c({1}), options()) == "FILE.bin: begins with a header of llm.c");
  CHECK(complaint(std::string("\x93NUMPY\1\0", 8), options()) ==
        "FILE.bin: is an array of numpy (.npy)");
  CHECK(complaint(std::string("\x1F\x8B\x08\0\0\0\0\0\0\0\0\0", 12), options()) ==
        "FILE.bin is packed by gzip");
  CHECK(complaint("PK\x03\x04 and so on", options()) ==
        "FILE.bin is a zip archive, as workbooks (.xlsx) and .npz are");
  CHECK(complaint(std::string("\x40\0\0\0\0\0\0\0{\"__me", 14), options()) ==
        "FILE.bin is a safetensors file");
  CHECK(complaint("abc", options()) == "FILE.bin: 3 bytes are no whole number of tokens of uint16");
  CHECK(complaint("", options()) == "FILE.bin: the file is empty");
}

TEST_CASE("an index of Megatron that lies is refused") {
  const recipe::Tokens tokens = options(Header::megatron);
  const std::string payload = packed({1, 2, 3}, 2);
  CHECK(complaint(payload, tokens, megatron({1, 3})) ==
        "FILE.bin: the index says 4 tokens of uint16, which makes 8 bytes; it has 6");
  CHECK(complaint(payload, tokens, megatron({3}, 7)) ==
        "FILE.idx: byte 17 has the number type 7; tokens are of 1 (uint8), 4 (int32), 5 (int64) or "
        "8 (uint16)");
  std::string many = megatron({3});
  many.replace(18, 8, little(1ULL << 61, 8));
  CHECK(complaint(payload, tokens, many) ==
        "FILE.idx: 2305843009213693952 sequences and 2 documents do not fit into 62 bytes");
  std::string apart = megatron({1, 2});
  apart[34 + 8 + 8] = 4;
  CHECK(
      complaint(payload, tokens, apart) ==
      "FILE.idx: sequence 1 has 2 tokens at byte 4 of the payload, the ones before it end at byte "
      "2");
  CHECK(complaint(payload, tokens, "no index").starts_with("FILE.idx: does not begin"));
}

TEST_CASE("files cut short anywhere are refused, never misread") {
  const std::string header = llm_c({1, 2, 3});
  for (std::size_t length = 0; length < header.size(); ++length)
    CHECK(complaint(header.substr(0, length), options(Header::llm_c)) != "no complaint");
  const std::string index = megatron({1, 2});
  for (std::size_t length = 1; length < index.size(); ++length)
    CHECK(complaint(packed({1, 2, 3}, 2), options(Header::megatron), index.substr(0, length)) !=
          "no complaint");
}

TEST_CASE("a file of 2 GB takes no memory and no time to open") {
  const tests::Folder folder;
  recipe::Tokens tokens = options();
  tokens.path = {folder.write("FILE.bin", "")};
  constexpr std::uint64_t kTokens = 1'000'000'000;
  std::filesystem::resize_file(tokens.path->at(0), 2 * kTokens);  // a hole: no disk is used
  const auto begin = std::chrono::steady_clock::now();
  const long before = resident_pages();
  const auto stream = data::open_tokens(tokens);
  REQUIRE(stream->size() == kTokens);
  std::vector<std::int64_t> window(1025);
  for (std::uint64_t i = 0; i < 12; ++i) stream->read(i * 77'777'777, window);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(500));
  for (std::uint64_t i = 0; i < 5000; ++i) stream->read(i * 199'000, window);
  CHECK(resident_pages() - before < 2048);  // 8 MiB
}

TEST_CASE("a file that is cut short while it is used is an error with its byte") {
  const tests::Folder folder;
  recipe::Tokens tokens = options();
  tokens.path = {folder.write("FILE.bin", packed({1, 2, 3, 4}, 2))};
  const auto stream = data::open_tokens(tokens);
  std::filesystem::resize_file(folder / "FILE.bin", 4);
  std::vector<std::int64_t> out(4);
  CHECK_THROWS_WITH(stream->read(0, out), (folder / "FILE.bin").string() +
                                              " ends at byte 4; it had 8 when it was opened");
}
