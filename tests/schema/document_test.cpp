#include "schema/document/parse.h"

#include <catch2/catch.hpp>

#include "schema/document/problem_text.h"

using namespace knead::schema;

namespace {

std::shared_ptr<const Source> source_of(const std::string& text) {
  return std::make_shared<Source>("r.yaml", "/here/r.yaml", text);
}

/// The tree of a text without problems.
Node parsed(const std::string& text) {
  Problems problems;
  auto node = parse_yaml(source_of(text), problems);
  INFO(to_text(problems));
  REQUIRE(problems.empty());
  return *node;
}

std::string first_problem(const std::string& text) {
  Problems problems;
  const auto source = source_of(text);
  if (auto wrong = check_bytes(source)) {
    problems.push_back(*wrong);
  } else {
    parse_yaml(source, problems);
  }
  REQUIRE(!problems.empty());
  return to_string(problems[0].place) + " " + problems[0].code;
}

std::string place_of(const Node& root, const std::string& path) {
  const Place& place = find_path(root, path)->place;
  return to_string(place) + "+" + std::to_string(place.length());
}

}  // namespace

TEST_CASE("places count lines and code points from 1") {
  const Node root =
      parsed("a: 1\nblock:\n  größe: \"zwölf\" # comment\n  list: [x, 'y z', {k: v}]\n");
  CHECK(place_of(root, "a") == "r.yaml:1:4+1");
  CHECK(place_of(root, "block.größe") == "r.yaml:3:10+7");
  CHECK(place_of(root, "block.list.1") == "r.yaml:4:13+5");
  CHECK(place_of(root, "block.list.2.k") == "r.yaml:4:24+1");
  CHECK(to_string(root.entry("block")->value.entry("größe")->place) == "r.yaml:3:3");
}

TEST_CASE("an alias is placed where it stands, and knows where its value stands") {
  const Node root = parsed("x-rate: &rate 1e-3\nlr: *rate\n");
  CHECK(place_of(root, "lr") == "r.yaml:2:5+5");
  CHECK(to_string(root.at("lr").anchor) == "r.yaml:1:15");
  CHECK(root.at("lr").number == 1e-3);
}

TEST_CASE("an empty value is placed at its key, a written null at its word") {
  const Node root = parsed("a:\nnull: ~\nb: null\nc: {d: , e: null}\nf:\n  - \n  - 1\n");
  CHECK(root.at("a").empty);
  CHECK(place_of(root, "a") == "r.yaml:1:1+1");
  CHECK_FALSE(root.at("null").empty);
  CHECK(place_of(root, "null") == "r.yaml:2:7+1");
  CHECK(place_of(root, "b") == "r.yaml:3:4+4");
  CHECK(root.at("c").at("d").empty);
  CHECK_FALSE(root.at("c").at("e").empty);
  CHECK(root.at("f").items[0].empty);
  CHECK(place_of(root, "f.0") == "r.yaml:6:3+1");
}

TEST_CASE("a null in a list in brackets is empty only without a word") {
  const Node root = parsed("a: [null, 1, null]\nb: [[1], [null],\n  ~]\nc: [1, null, {d: null}]\n");
  CHECK_FALSE(root.at("a").items[0].empty);
  CHECK_FALSE(root.at("a").items[2].empty);
  CHECK(place_of(root, "a.2") == "r.yaml:1:14+4");
  CHECK_FALSE(root.at("b").items[1].items[0].empty);
  CHECK_FALSE(root.at("b").items[2].empty);
  CHECK(place_of(root, "b.2") == "r.yaml:3:3+1");
  CHECK_FALSE(root.at("c").items[1].empty);
  CHECK_FALSE(root.at("c").items[2].at("d").empty);
}

TEST_CASE("quotes and tags decide what is text") {
  const Node root =
      parsed("a: \"1\"\nb: '1'\nc: !!str 1\nd: !!float 1\ne: !!int 0x10\nf: |\n  1\n");
  CHECK(root.at("a").kind == Node::Kind::text);
  CHECK(root.at("b").kind == Node::Kind::text);
  CHECK(root.at("c").kind == Node::Kind::text);
  CHECK(root.at("d").kind == Node::Kind::number);
  CHECK(root.at("e").integer == 16);
  CHECK(root.at("f").text == "1\n");
  CHECK(first_problem("a: !!python/object:os.system ls\n") == "r.yaml:1:30 unknown-tag");
}

TEST_CASE("merges never override a key that is written out, and earlier blocks win") {
  const Node root = parsed(
      "one: &one {a: 1, b: 1}\n"
      "two: &two {b: 2, c: 2}\n"
      "both:\n  b: 0\n  <<: [*one, *two]\n");
  CHECK(root.at("both").at("a").integer == 1);
  CHECK(root.at("both").at("b").integer == 0);
  CHECK(root.at("both").at("c").integer == 2);
  CHECK(parsed("\"<<\": 1\n").find("<<"));
  CHECK(first_problem("a: {<<: 1}\n") == "r.yaml:1:9 merge-value");
}

TEST_CASE("what yaml-cpp lets through is found") {
  CHECK(first_problem("a: 1\nb: 2\na: 3\n") == "r.yaml:3:1 duplicate-key");
  CHECK(first_problem("a: {b: 1, b: 2}\n") == "r.yaml:1:11 duplicate-key");
  CHECK(first_problem("a: 1\n---\nb: 2\n") == "r.yaml:2:1 several-documents");
  CHECK(first_problem("  a: 1\nb: 2\n") == "r.yaml:2:1 yaml-syntax");
  CHECK(first_problem("a: \"open\nb: 2\n") == "r.yaml:1:4 yaml-syntax");
  CHECK(first_problem("a: 'it''s\n") == "r.yaml:1:4 yaml-syntax");
  CHECK(first_problem("a: 012\n") == "r.yaml:1:4 leading-zero");
  CHECK(first_problem("a: &a [1, *a]\n") == "r.yaml:1:11 alias-cycle");
  CHECK(first_problem("a: 1\nb\nc: 2\n") == "r.yaml:2:1 yaml-syntax");
  CHECK(first_problem("? [a]\n: 1\n") == "r.yaml:1:3 yaml-syntax");
}

TEST_CASE("a text is UTF-8 without control characters") {
  CHECK(first_problem("a: \xff\n") == "r.yaml:1:4 bad-encoding");
  CHECK(first_problem("a: \xed\xa0\x80\n") == "r.yaml:1:4 bad-encoding");  // a surrogate
  CHECK(first_problem("a: \xc0\xaf\n") == "r.yaml:1:4 bad-encoding");      // overlong
  CHECK(first_problem("a: \xf4\x90\x80\x80\n") == "r.yaml:1:4 bad-encoding");
  CHECK(first_problem("a: \xe2\x82") == "r.yaml:1:4 bad-encoding");
  CHECK(first_problem(std::string("a: b\0c\n", 7)) == "r.yaml:1:5 bad-encoding");
  CHECK(first_problem("a: \x1b[31m\n") == "r.yaml:1:4 bad-encoding");
  CHECK(first_problem("a: 1\rb: 2\n") == "r.yaml:1:5 bad-encoding");
  CHECK(first_problem(std::string("\xff\xfe"
                                  "a\0",
                                  4)) == "r.yaml:1:1 bad-encoding");
  CHECK(parsed("a: 1\r\nb: 2\r\n").at("b").integer == 2);
}

TEST_CASE("bombs end at a limit") {
  CHECK(first_problem(std::string(kMostBytes + 1, 'a')) == "r.yaml:1:1 too-large");

  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below;
    for (int n = 1; n < 9; ++n) laughs += ", " + below;
    laughs += "]\n";
  }
  CHECK(first_problem(laughs).ends_with("too-large"));

  std::string deep(kMostLevels + 1, '[');
  CHECK(first_problem("a: " + deep + std::string(deep.size(), ']')).ends_with("too-large"));
  CHECK(first_problem("a: " + std::string(200'000, '{')).find("r.yaml:1:") == 0);
}
