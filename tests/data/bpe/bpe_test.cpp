#include "runner/data/bpe/bpe.h"

#include <utility>

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;
using Json = nlohmann::json;

namespace {

const std::filesystem::path kFixtures =
    std::filesystem::path(KNEAD_ROOT) / "tests/fixtures/tokenizers";

recipe::BpeTokenizer options(const std::filesystem::path& file, const std::string& split = "") {
  recipe::BpeTokenizer out;
  out.file = file;
  using Split = recipe::BpeTokenizer::Split;
  if (split == "gpt2") out.split = Split::gpt2;
  if (split == "cl100k") out.split = Split::cl100k;
  if (split == "o200k") out.split = Split::o200k;
  return out;
}

/// What is said about a file, without its folder.
std::string complaint(const std::string& text, const std::string& split = "") {
  const tests::Folder folder;
  try {
    data::open_bpe(options(folder.write("FILE", text), split));
  } catch (const Error& error) {
    std::string message = error.what();
    for (std::size_t at; (at = message.find(folder.path().string() + "/")) != message.npos;)
      message.erase(at, folder.path().string().size() + 1);
    return message + " | " + error.remedy();
  }
  return "no complaint";
}

/// A tokenizer.json whose second line is a part of it.
std::string small(const std::string& part) {
  const bool has_model = part.starts_with("\"model\"");
  return "{\n" + part + (has_model ? "}" : R"(,
"model": {"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}})");
}

}  // namespace

TEST_CASE("tokens are those of the libraries, whatever the make of the tokenizer") {
  const Json cases = Json::parse(tests::text_of(kFixtures / "expected.json"));
  REQUIRE(cases.size() > 500);
  std::string opened;
  std::shared_ptr<const data::Tokenizer> tokenizer;
  for (const Json& each : cases) {
    const auto file = each.at("file").get<std::string>();
    const std::string split = each.value("split", "");
    const auto text = each.at("text").get<std::string>();
    if (std::exchange(opened, file + split) != file + split)
      tokenizer = data::open_bpe(options(kFixtures / file, split));
    std::vector<std::uint32_t> tokens;
    tokenizer->encode(text, "FILE", tokens);
    INFO(file << " " << split << ": " << each.at("text").dump());
    CHECK(tokens == each.at("ids").get<std::vector<std::uint32_t>>());
  }
}

TEST_CASE("a tokenizer says how many tokens there are, those that were added among them") {
  const auto tokenizer = data::open_bpe(options(kFixtures / "llama3.json"));
  CHECK(tokenizer->vocabulary() == 483);
  CHECK(tokenizer->words() == "483 of llama3.json");
  CHECK(tokenizer->description().at("file") == "tokenizer.json");
  CHECK(data::open_bpe(options(kFixtures / "small.tiktoken", "gpt2"))->description().at("file") ==
        "tokenizer.ranks");
}

TEST_CASE(
    "what a tokenizer.json asks for and knead does not know is refused by its name and place") {
  const std::string remedy =
      ", which knead does not know | encode the text with the library itself, and train on data of "
      "type tokens";
  const auto refused = [&](const std::string& part, const std::string& what) {
    CHECK(complaint(small(part)) == "FILE:2:" + what + remedy);
  };
  refused(R"("model": {"vocab": {}, "merges": [], "type": "Unigram"})",
          "46: asks for a model of type 'Unigram'");
  refused(R"("model": {"dropout": 0.1})", "22: asks for model.dropout");
  refused(R"("normalizer": {"type": "Precompiled"})", "24: asks for the normalizer 'Precompiled'");
  refused(R"("normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "é"}]})",
          "78: asks for the normalizer 'é'");
  refused(R"("pre_tokenizer": {"type": "UnicodeScripts"})",
          "27: asks for the pre_tokenizer 'UnicodeScripts'");
  refused(R"("pre_tokenizer": {"type": "Split", "pattern": {"String": "x"}, "behavior": "Kept"})",
          "76: asks for the behavior 'Kept'");
  refused(R"("pre_tokenizer": {"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"})",
          "78: asks for the prepend_scheme 'last'");
}

TEST_CASE(
    "a pattern that knead does not read is refused with its place in the file and in itself") {
  const auto of_pattern = [](const std::string& pattern) {
    return complaint(small(R"("pre_tokenizer": {"type": "Split", "behavior": "Isolated",
"pattern": {"Regex": ")" + pattern +
                           "\"}}"));
  };
  const std::string remedy =
      " | encode the text with the library itself, and train on data of type tokens";
  CHECK(of_pattern("(x") ==
        "FILE:3:22: the pattern '(x' has a group that is not closed at character 2, which knead "
        "does not read" +
            remedy);
  CHECK(of_pattern("é(a)\\\\1") ==
        "FILE:3:22: the pattern 'é(a)\\1' has \\1 at character 5, which knead does not read" +
            remedy);
  CHECK(of_pattern("(?<=a+)b") ==
        "FILE:3:22: knead does not read the pattern: lookbehind assertion is not fixed length" +
            remedy);
}

TEST_CASE("a broken tokenizer.json is refused with what is wrong") {
  const std::string remedy = " | name a tokenizer.json of Hugging Face's tokenizers";
  const auto of_model = [](const std::string& rest) {
    return complaint(R"({"model": {"vocab": {"a": 0, "b": 1}, )" + rest + "}}");
  };
  CHECK(of_model(R"("merges": ["a q r"])") ==
        "FILE:1:50: merge 0 is not two words: 'a q r'" + remedy);
  CHECK(of_model(R"("merges": [3])") == "FILE:1:50: merge 0 is not two words: '3'" + remedy);
  CHECK(of_model(R"("merges": ["a b"])") ==
        "FILE:1:50: merge 0 joins 'a' and 'b': they, or what they make, are no tokens | the file "
        "is damaged, or was put together from two");
  CHECK(of_model(R"("type": 7)") == "FILE:1:47: model/type is not a text" + remedy);
  CHECK(of_model(R"("fuse_unk": 1, "merges": [])") ==
        "FILE:1:51: model/fuse_unk is not true or false" + remedy);
  CHECK(of_model(R"("merges": null)") == "FILE:1:11: has no 'merges'" + remedy);
  CHECK(complaint(R"({"model": {"vocab": {"a": -1}, "merges": []}})") ==
        "FILE:1:21: 'a' has the token -1 | tokens are 0 to 16,777,215");
  CHECK(complaint(R"({"model": {"vocab": [["a", 0.5]], "merges": []}})") ==
        "FILE:1:21: model.vocab is not a block of words with their numbers" + remedy);
  CHECK(complaint("{}") == "FILE:1:1: has no 'model'" + remedy);
  CHECK(complaint(small(R"("added_tokens": {})")) ==
        "FILE:2:17: added_tokens is not a list" + remedy);
  CHECK(complaint(small(R"("pre_tokenizer": {"type": "Metaspace", "replacement": "__"})")) ==
        "FILE:2:55: replacement is not one character | write one character");
  CHECK(complaint(small(R"("pre_tokenizer": {"type": "Metaspace", "replacement": "_",
 "add_prefix_space": false})")) ==
        "FILE:2:18: has add_prefix_space: false with prepend_scheme: always | write "
        "prepend_scheme: never");
}

TEST_CASE("a tokenizer.json that asks for too much is refused") {
  std::string nested = R"({"type": "NFC"})";
  for (int depth = 0; depth < 17; ++depth)
    nested = R"({"type": "Sequence", "normalizers": [)" + nested + "]}";
  CHECK_THAT(complaint(small("\"normalizer\": " + nested)),
             Catch::EndsWith(": is a Sequence 16 deep | write one Sequence"));
  const std::string text(4097, 'x');
  CHECK(complaint(small(R"("normalizer": {"type": "Prepend", "prepend": ")" + text + "\"}")) ==
        "FILE:2:46: prepend has 4097 bytes | knead reads 4096 in a step of a tokenizer");
  const tests::Folder folder;
  const std::string doubles =
      R"({"type": "Replace", "pattern": {"Regex": "a"}, "content": "aaaaaaaaaaaaaaaaaaaa"})";
  const auto tokenizer = data::open_bpe(options(
      folder.write("FILE", small(R"("normalizer": {"type": "Sequence", "normalizers": [)" +
                                 doubles + "," + doubles + "," + doubles + "," + doubles + "]}"))));
  std::vector<std::uint32_t> tokens;
  CHECK_THROWS_WITH(tokenizer->encode("aaa", "TEXT", tokens),
                    "the normalizer makes more than 65728 bytes of a part of a text");
}

TEST_CASE("a tokenizer.json that is cut off anywhere is refused") {
  const std::string whole = tests::text_of(kFixtures / "gpt2.json");
  for (std::size_t length = 1; length + 2 < whole.size(); length += 97)
    CHECK_THAT(complaint(whole.substr(0, length)),
               Catch::StartsWith("FILE:1:") && Catch::Contains(": is not JSON: "));
  CHECK_THAT(complaint(R"({"a": [1e999]})"),
             Catch::StartsWith("FILE:1:12: is not JSON: a number is too large"));
}

TEST_CASE("ranks are refused with their line, and how text is split is said once") {
  CHECK(complaint("YQ== 0\nYg== x\n", "gpt2") ==
        "FILE:2: no token in base64 and its number | name a tokenizer.json, or a file of ranks as "
        "tiktoken reads it");
  CHECK(complaint("YQ== 0\nYQ== 1\n", "gpt2") == "FILE:2: the token has two numbers | ");
  CHECK(complaint("\n", "gpt2") == "FILE: no tokens | ");
  CHECK(complaint("YQ== 0\n") ==
        "FILE does not say how text is split before it is encoded | write tokenizer.split: gpt2, "
        "cl100k (Llama 3's too) or o200k");
  CHECK(complaint(small("\"normalizer\": null"), "gpt2") ==
        "tokenizer.split is written, and FILE says itself how text is split | leave out split");
}

TEST_CASE("text that the tokenizer cannot say is refused with its byte") {
  const tests::Folder folder;
  const auto tokenizer = data::open_bpe(options(folder.write("few", "YQ== 0\nYg== 1\n"), "gpt2"));
  std::vector<std::uint32_t> tokens;
  CHECK_THROWS_WITH(tokenizer->encode("ab abc", "FILE", tokens),
                    "FILE: byte 2 of it is 0x20, for which the tokenizer has no token");
  CHECK_THROWS_WITH(tokenizer->encode("ab\xC3(", "FILE", tokens),
                    "FILE: byte 2 (0xC3) is not UTF-8");
  const auto letters =
      data::open_bpe(options(folder.write("small", small("\"normalizer\": null"))));
  CHECK_THROWS_WITH(letters->encode("abé", "FILE", tokens),
                    "FILE: the tokenizer has no token for 'é' (U+00E9)");
}

TEST_CASE(
    "the longest of many added words is found, and words that never end cost no more than the "
    "budget") {
  data::AddedTokens words;
  for (std::uint32_t length = 1; length <= 300; ++length)
    words.add({std::string(length, 'a'), length});
  words.add({"ab", 1000});
  std::vector<data::AddedTokens::Part> parts;
  files::Budget budget("TEXT");
  const std::string text = std::string(301, 'a') + "b-aab-a";
  words.cut(text, parts, budget);
  std::string found;
  for (const auto& part : parts)
    found += part.is_word ? fmt::format("[{}]", part.token) : std::string(part.text);
  CHECK(found == "[300][1000]-[2]b-[1]");
  data::AddedTokens endless;
  for (std::uint32_t length = 1; length <= 3000; ++length)
    endless.add({std::string(length, 'a') + "!", length});
  CHECK_THROWS_WITH(endless.cut(std::string(3000, 'a'), parts, budget),
                    "TEXT: it takes more than 100 million steps to read, whatever its size");
}
