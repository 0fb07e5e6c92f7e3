#include "schema/document/yaml_text.h"

#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "schema/document/parse.h"
#include "schema/merge/environment.h"

using namespace knead::schema;

namespace {

/// Read as the value of a key, with references to the environment replaced.
std::optional<Node> read_back(const std::string& yaml) {
  Problems problems;
  auto node =
      parse_yaml(std::make_shared<Source>("r.yaml", "/r.yaml", "k: " + yaml + "\n"), problems);
  if (!node || !problems.empty()) return std::nullopt;
  expand_environment(
      *node, [](const std::string&) { return std::nullopt; }, problems);
  return problems.empty() ? std::optional<Node>(node->at("k")) : std::nullopt;
}

/// Texts made of what makes YAML difficult.
rc::Gen<std::string> difficult_text() {
  const auto piece = rc::gen::element<std::string>(
      "a", "1", "0", " ", ":", "#", "-", ",", "[", "]", "{", "}", "'", "\"", "\\", "\n", "\t", "$",
      "${", "$${", "${env:X}", "ö", "🙂", "~", "null", "yes", "%", "@", "&", "*", "!", "|", ">",
      "<<", "=", ".", "e", "_");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& one : pieces) text += one;
                        return text;
                      });
}

}  // namespace

TEST_CASE("any text reads back as the same text") {
  CHECK(rc::check("text", [] {
    const std::string text = *difficult_text();
    const auto node = read_back(text_as_yaml(text));
    RC_ASSERT(node.has_value());
    RC_ASSERT(node->kind == Node::Kind::text);
    RC_ASSERT(node->text == text);
  }));
  CHECK(rc::check("text in a list", [] {
    const std::string text = *difficult_text();
    const auto node = read_back("[" + text_as_yaml(text) + ", 1]");
    RC_ASSERT(node.has_value());
    RC_ASSERT(node->items.size() == 2u);
    RC_ASSERT(node->items[0].text == text);
  }));
}

TEST_CASE("any number reads back as the same number, and stays a number") {
  CHECK(rc::check("double", [] {
    Node number;
    number.kind = Node::Kind::number;
    number.number = *rc::gen::arbitrary<double>();
    const auto node = read_back(scalar_as_yaml(number));
    RC_ASSERT(node.has_value());
    RC_ASSERT(node->kind == Node::Kind::number);
    RC_ASSERT(node->number == number.number);
  }));
}

TEST_CASE("words that other YAML readers take for something else are quoted") {
  for (const char* text :
       {"yes", "No", "on", "1_000", "12:30", "2026-01-01", "012", "~", "null", "1e3", ""}) {
    INFO(text);
    CHECK(text_as_yaml(text).front() == '"');
  }
  for (const char* text :
       {"adamw", "20 epochs", "10%", "data/digits.csv", "validation/loss", "15 min"}) {
    CHECK(text_as_yaml(text) == text);
  }
}
