#include "runner/data/text/characters.h"

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;
using data::Characters;
using Tokens = std::vector<std::uint32_t>;

namespace {

Tokens encoded(const Characters& characters, const std::string& text) {
  Tokens tokens;
  characters.encode(text, "FILE", tokens);
  return tokens;
}

}  // namespace

TEST_CASE("characters are numbered in the order of Unicode, over all files") {
  const tests::Folder folder;
  const Characters characters(
      {folder.write("a", "hello\n"), folder.write("b", "\xC3\xA9\xF0\x9F\x8D\x9E")});
  CHECK(characters.vocabulary() == 7);  // \n e h l o é 🍞
  CHECK(characters.words() == "7 characters");
  CHECK(encoded(characters, "he\xC3\xA9\n\xF0\x9F\x8D\x9E") == Tokens{2, 1, 5, 0, 6});
  CHECK(characters.description().dump() ==
        "{\"characters\":\"\\nehlo\xC3\xA9\xF0\x9F\x8D\x9E\",\"size\":7,\"tokenizer\":"
        "\"characters\"}");
}

TEST_CASE("what the training set does not have is named with its byte") {
  const tests::Folder folder;
  const Characters characters({folder.write("a", "abc")});
  CHECK_THROWS_WITH(encoded(characters, "ab\xC3\xA9"),
                    "FILE: byte 2 begins the character '\xC3\xA9' (U+00E9), which the training set "
                    "does not have");
  CHECK_THROWS_WITH(
      encoded(characters, "a\tb"),
      "FILE: byte 1 begins the character U+0009, which the training set does not have");
}

TEST_CASE("text that is not UTF-8 is named with its byte, in the vocabulary too") {
  const tests::Folder folder;
  const Characters characters({folder.write("a", "abc")});
  for (const std::string& wrong :
       {std::string("\xFF"), std::string("\xC3"), std::string("\xE2\x82"), std::string("\xC0\x80"),
        std::string("\xED\xA0\x80"), std::string("\xF4\x90\x80\x80"), std::string("\x80")}) {
    const auto file = folder.write("b", "abc" + wrong);
    CHECK_THROWS_WITH(Characters({file}), Catch::StartsWith(file.string() + ": byte 3 (0x") &&
                                              Catch::EndsWith(") is not UTF-8"));
    CHECK_THROWS_WITH(encoded(characters, "abc" + wrong), Catch::StartsWith("FILE: byte 3 (0x"));
  }
}
