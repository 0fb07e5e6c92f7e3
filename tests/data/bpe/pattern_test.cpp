#include "runner/data/bpe/pattern.h"

#include <catch2/catch.hpp>

#include "runner/data/bpe/splitter.h"
#include "schema/document/error.h"

using namespace knead;

namespace {

/// The matches of a pattern in a text, each between bars.
std::string matches(const std::string& pattern, const std::string& text) {
  const data::Splitter splitter(data::translated(pattern), data::Splitter::Matches::isolated,
                                /*is_inverted=*/false, "FILE");
  std::string out;
  const auto take = [&](std::size_t begin, std::size_t end, bool is_match) {
    const std::string part = text.substr(begin, end - begin);
    out += is_match ? "|" + part + "|" : part;
  };
  files::Budget budget("FILE");
  splitter.each_part(text, take, budget);
  return out;
}

std::string pieces(data::Splitter::Matches behavior, bool is_inverted) {
  const data::Splitter splitter("-", behavior, is_inverted, "FILE");
  std::vector<std::string_view> cut;
  files::Budget budget("FILE");
  splitter.split("a--b-", cut, budget);
  std::string out;
  for (const std::string_view piece : cut) out += "[" + std::string(piece) + "]";
  return out;
}

std::string pattern_complaint(const std::string& pattern) {
  try {
    data::translated(pattern);
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace

// What Oniguruma 6.9.10 finds, as the tokenizers library calls it.
TEST_CASE("classes hold the characters that Oniguruma puts in them") {
  CHECK(matches("\\w+", "a\u0301b \u2040c ²d _1") == "|a\u0301b| |\u2040c| |²d| |_1|");
  CHECK(matches("[\\w]+", "a² ¼b") == "|a|² ¼|b|");
  CHECK(matches("\\b", "a\u0301 \u2040") == "||a\u0301|| ||\u2040||");
  CHECK(matches("\\B", "a\u0301") == "a||\u0301");
  CHECK(matches("\\s", "a\u180E\u2003b") == "a\u180E|\u2003|b");
  CHECK(matches("\\d", "1²\u0663\U00010D40") == "|1|²|\u0663||\U00010D40|");
  CHECK(matches("\\p{Lu}", "A\u1C89a") == "|A||\u1C89|a");
  CHECK(matches("\\p{Mn}|\\P{^M}", "\U0001171E\u0301") == "|\U0001171E||\u0301|");
  CHECK(matches("\\p{Mn}", "\U0001171E\u0301") == "\U0001171E|\u0301|");
  CHECK(matches("\\p{Han}", "\u3001\u4E2D\U00031350") == "\u3001|\u4E2D||\U00031350|");
  CHECK(matches("\\h+", "fg A9") == "|f|g |A9|");
}

TEST_CASE("brackets are sets, in one another and cut with one another") {
  CHECK(matches("[a-c&&b-d]", "abcd") == "a|b||c|d");
  CHECK(matches("[a-z&&[^aeiou]]+", "abcde") == "a|bcd|e");
  CHECK(matches("[a[bc]]+", "abcd") == "|abc|d");
  CHECK(matches("[^a[bc]]", "abcd") == "abc|d|");
  CHECK(matches("[^\\S\\n]", "a \n") == "a| |\n");
  CHECK(matches("[a-c-e]+", "a-d") == "|a-|d");
  CHECK(matches("[]a\\]-]+", "]a-") == "|]a-|");
  CHECK(matches("[[:alpha:]_]+", "é_1") == "|é_|1");
  CHECK(matches("[&&a]", "a&") == "a&");
  CHECK(matches("[\\x41-\\u0043\\x{1F600}]", "ABD😀") == "|A||B|D|😀|");
}

TEST_CASE("quantifiers, options and places are those of Ruby's syntax") {
  CHECK(matches("a{1,2}+b", "aaaaab") == "|aaaaab|");
  CHECK(matches("a{2}?", "aaaaa") == "|aa||aa|a||");
  CHECK(matches("a{,2}", "aaa") == "|aa||a|");
  CHECK(matches("a{1", "a{1") == "|a{1|");
  CHECK(matches("a+?+", "aaa") == "|aaa|");
  CHECK(matches(".", "a\n") == "|a|\n");
  CHECK(matches("(?m:.)", "a\n") == "|a||\n|");
  CHECK(matches("^.|.$", "ab\ncd") == "|a||b|\n|c||d|");
  CHECK(matches("a(?i)b|c", "aB ac bC") == "|aB| |ac| bC");
  CHECK(matches("(?i:k)", "K\u212A") == "|K||\u212A|");
  CHECK(matches("b\\Z", "b\n") == "|b|\n");
  CHECK(matches("a*", "bab") == "||b|a|b||");
  CHECK(matches("(?<=a|bc)x", "axbcx") == "a|x|bc|x|");
}

TEST_CASE("what lies between matches is cut as the behavior says") {
  using Matches = data::Splitter::Matches;
  CHECK(pieces(Matches::isolated, false) == "[a][-][-][b][-]");
  CHECK(pieces(Matches::removed, false) == "[a][b]");
  CHECK(pieces(Matches::removed, true) == "[-][-][-]");
  CHECK(pieces(Matches::merged_with_previous, false) == "[a-][-][b-]");
  CHECK(pieces(Matches::merged_with_next, false) == "[a][-][-b][-]");
  CHECK(pieces(Matches::contiguous, false) == "[a][--][b][-]");
  CHECK(pieces(Matches::merged_with_next, true) == "[a-][-][b-]");
}

TEST_CASE("what PCRE2 would read in another sense is refused") {
  const auto refused = [](const std::string& pattern, const std::string& what) {
    CHECK(pattern_complaint(pattern) ==
          "the pattern '" + pattern + "' has " + what + ", which knead does not read");
  };
  refused("\\Ka", "\\K at character 1");
  refused("\\p{Greek_Letter}", "\\p{Greek_Letter} at character 1");
  refused("\\pL", "\\p without {NAME} at character 1");
  refused("a|(?~b)", "a group of another kind at character 3");
  refused("a)", "a ) without its ( at character 2");
  refused("(?=a)*", "a quantifier of nothing at character 6");
  refused("|+", "a quantifier of nothing at character 2");
  refused("a{3,1}", "a quantifier that ends before it begins at character 2");
  refused("a{10000}", "a quantifier of more than 9999 at character 2");
  refused("[ab", "brackets that are not closed at character 3");
  refused("[z-a]", "a range that ends before it begins at character 2");
  refused("[\\d-a]", "a range that begins with a class at character 2");
  refused("[[:graph:]]", "[:NAME:] at character 2");
  refused("(?i:\\p{L}ss)", "'ss' whose case is not told at character 11");
  refused("(?i:é)", "a letter that is not ASCII and whose case is not told at character 5");
  refused("(?i:[\\p{L}])", "a class between brackets whose case is not told at character 6");
  refused("\\x{D800}", "a number that is no character at character 1");
  refused("a\\", "a backslash at character 2");
  CHECK_THAT(pattern_complaint(std::string(40000, 'a')),
             Catch::EndsWith("aaa…' has 40000 bytes at character 1, which knead does not read"));
  CHECK_THAT(pattern_complaint(std::string(20, '[')), Catch::Contains("has brackets 17 deep"));
}

TEST_CASE(
    "a pattern that tries everything ends with its budget, on each machine at the same place") {
  const data::Splitter splitter(data::translated("(a+)+$"), data::Splitter::Matches::isolated,
                                /*is_inverted=*/false, "FILE");
  std::vector<std::string_view> cut;
  const std::string text = std::string(100, 'a') + "!";
  files::Budget budget("TEXT");
  CHECK_THROWS_WITH(splitter.split(text, cut, budget),
                    "FILE: a pattern fails at byte 0 of a text: match limit exceeded");
  // What was tried counts, so the next text ends sooner.
  CHECK_FALSE(budget.try_work(100'000'000));
}
