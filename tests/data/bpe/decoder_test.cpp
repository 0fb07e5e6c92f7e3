#include "runner/data/bpe/decoder.h"

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;

namespace {

using Words = std::vector<std::string>;

/// Returns the steps of a decoder in the words of a tokenizer.json.
std::vector<data::DecoderStep> steps(const std::string& decoder) {
  const tests::Folder folder;
  files::Budget budget("FILE");
  const data::JsonFile file(folder.write("tokenizer.json", decoder), budget);
  return data::read_decoder(data::JsonPart(file));
}

std::string text_of(const std::string& decoder, const Words& words) {
  return data::decoded(steps(decoder), words);
}

}  // namespace

// What is expected here is what the library returns (tokenizers 0.22).

TEST_CASE("letters for bytes become bytes") {
  const std::string decoder = R"({"type": "ByteLevel"})";
  CHECK(text_of(decoder, {"Hello", "Ġworld", "Ċ"}) == "Hello world\n");
  CHECK(text_of(decoder, {"Ã", "©"}) == "é");
  CHECK(text_of(decoder, {"<|end of text|>", "x"}) == "<|end of text|>x");
  CHECK(text_of(decoder, {}).empty());
}

TEST_CASE("words for bytes become characters") {
  const std::string decoder = R"({"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
      {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})";
  CHECK(text_of(decoder, {"▁Hello", "▁", "<0xC3>", "<0xA9>", "!"}) == "Hello é!");
  CHECK(text_of(decoder, {"▁a", "<0xC3>", "b"}) ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(text_of(decoder, {"<0xZZ>", "<0x41>"}) == "<0xZZ>A");
}

TEST_CASE("a character for spaces becomes spaces") {
  CHECK(text_of(R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})",
                {"▁two", "▁words"}) == "two words");
  CHECK(text_of(R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"})",
                {"▁two", "▁words"}) == " two words");
}

TEST_CASE("the ends of words become spaces") {
  CHECK(text_of(R"({"type": "BPEDecoder", "suffix": "</w>"})", {"two</w>", "wor", "ds</w>"}) ==
        "two words");
}

TEST_CASE("at most so many characters are stripped") {
  CHECK(text_of(R"({"type": "Strip", "content": "-", "start": 2, "stop": 1})", {"---a--"}) ==
        "-a-");
}

TEST_CASE("a decoder that is not known is refused with its place") {
  CHECK_THROWS_WITH(
      steps("{\"type\": \"CTC\"}"),
      Catch::EndsWith(
          "tokenizer.json:1:10: asks for the decoder 'CTC', which knead does not know"));
}
