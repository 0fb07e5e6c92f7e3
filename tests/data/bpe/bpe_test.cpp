#include "runner/data/bpe/bpe.h"

#include <catch2/catch.hpp>

#include "schema/error.h"
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

/// A tokenizer.json with some parts changed.
std::string changed(const Json& patch) {
  Json document = Json::parse(tests::text_of(kFixtures / "gpt2.json"));
  document.merge_patch(patch);
  return document.dump();
}

}  // namespace

TEST_CASE("tokens are those of the libraries, whatever the make of the tokenizer") {
  const Json cases = Json::parse(tests::text_of(kFixtures / "expected.json"));
  REQUIRE(cases.size() > 200);
  for (const Json& each : cases) {
    const auto file = each.at("file").get<std::string>();
    const std::string split = each.value("split", "");
    const auto text = each.at("text").get<std::string>();
    const auto tokenizer = data::open_bpe(options(kFixtures / file, split));
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

TEST_CASE("what a tokenizer.json asks for and knead does not know is refused by its name") {
  const std::string remedy =
      ", which knead does not know | encode the text with the library itself, and train on data of "
      "type tokens";
  const auto refused = [&](const Json& patch, const std::string& what) {
    CHECK(complaint(changed(patch)) == "FILE: asks for " + what + remedy);
  };
  refused({{"model", {{"type", "Unigram"}}}}, "a model of type 'Unigram'");
  refused({{"model", {{"byte_fallback", true}}}}, "model.byte_fallback");
  refused({{"model", {{"dropout", 0.1}}}}, "model.dropout");
  refused({{"normalizer", {{"type", "Lowercase"}}}}, "the normalizer 'Lowercase'");
  refused({{"pre_tokenizer", {{"type", "Metaspace"}}}}, "the pre_tokenizer 'Metaspace'");
  refused({{"added_tokens", {{{"id", 1}, {"content", "<x>"}, {"lstrip", true}}}}},
          "lstrip of the added token '<x>'");
  refused({{"pre_tokenizer",
            {{"type", "Split"}, {"pattern", {{"String", "x"}}}, {"behavior", "MergedWithNext"}}}},
          "the pre_tokenizer 'Split' with behavior 'MergedWithNext'");
  CHECK(complaint(changed({{"pre_tokenizer", nullptr}})) ==
        "FILE: has no 'ByteLevel' in its pre_tokenizer | knead reads byte-level tokenizers");
}

TEST_CASE("a broken tokenizer.json is refused with what is wrong") {
  CHECK(complaint(changed({{"model", {{"merges", {"a q r"}}}}})) ==
        "FILE: merge 0 is not two words: 'a q r' | ");
  CHECK(complaint(changed({{"model", {{"merges", {"zq qz"}}}}})) ==
        "FILE: merge 0 joins 'zq' and 'qz': they, or what they make, are no tokens | the file is "
        "damaged, or was put together from two");
  CHECK(complaint(changed({{"model", {{"vocab", {{"a", -1}}}}}})) ==
        "FILE: has the token -1 | tokens are 0 to 16,777,215");
  CHECK(complaint(changed({{"model", nullptr}})) ==
        "FILE: has no 'model' | name a tokenizer.json of Hugging Face's tokenizers");
  CHECK_THAT(complaint(changed({{"model", {{"vocab", 3}}}})),
             Catch::StartsWith("FILE: is no tokenizer.json: ") ||
                 Catch::StartsWith("FILE: merge 0 joins"));
  CHECK(complaint(changed(
            {{"pre_tokenizer",
              {{"type", "Split"}, {"pattern", {{"Regex", "(x"}}}, {"behavior", "Isolated"}}}})) ==
        "FILE: knead does not read the pattern '(x': missing closing parenthesis | ");
}

TEST_CASE("a tokenizer.json that is cut off anywhere is refused") {
  const std::string whole = tests::text_of(kFixtures / "gpt2.json");
  for (std::size_t length = 1; length + 2 < whole.size(); length += 97)
    CHECK_THAT(complaint(whole.substr(0, length)),
               Catch::StartsWith("FILE: is no tokenizer.json: "));
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
  CHECK(complaint(changed(Json::object()), "gpt2") ==
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
}
