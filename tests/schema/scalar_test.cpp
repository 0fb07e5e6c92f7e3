#include "schema/document/scalar.h"

#include <limits>

#include <catch2/catch.hpp>

using knead::schema::Node;

namespace {

Node resolved(const std::string& text) {
  Node node = knead::schema::text_node(text, {});
  knead::schema::resolve_plain(node);
  return node;
}

}  // namespace

TEST_CASE("numbers, booleans and nulls follow the YAML 1.2 core schema") {
  for (const char* text : {"", "~", "null", "Null", "NULL"})
    CHECK(resolved(text).kind == Node::Kind::null);
  for (const char* text : {"true", "True", "TRUE"}) CHECK(resolved(text).boolean);
  for (const char* text : {"false", "False", "FALSE"})
    CHECK(resolved(text).kind == Node::Kind::boolean);

  CHECK(resolved("42").integer == 42);
  CHECK(resolved("-7").integer == -7);
  CHECK(resolved("+7").integer == 7);
  CHECK(resolved("0o17").integer == 15);
  CHECK(resolved("0x1F").integer == 31);
  CHECK(resolved("-0").kind == Node::Kind::integer);

  CHECK(resolved("1e-4").number == 1e-4);
  CHECK(resolved("1e4").kind == Node::Kind::number);
  CHECK(resolved("1E+4").number == 1e4);
  CHECK(resolved(".5").number == 0.5);
  CHECK(resolved("1.").number == 1.0);
  CHECK(resolved("-.5e1").number == -5.0);
  CHECK(resolved(".inf").number == std::numeric_limits<double>::infinity());
  CHECK(resolved("-.INF").number == -std::numeric_limits<double>::infinity());
  CHECK(resolved(".nan").number != resolved(".nan").number);
}

TEST_CASE("numbers beyond the range of a double are infinite or 0, however they are written") {
  const std::string zeros(400, '0');
  CHECK(resolved("0." + zeros + "1").number == 0);
  CHECK(resolved("-0." + zeros + "1").number == 0);
  CHECK(resolved("1e-400").number == 0);
  CHECK(resolved("1" + zeros + ".0").number == std::numeric_limits<double>::infinity());
  CHECK(resolved("1" + zeros + ".0e-10").number == std::numeric_limits<double>::infinity());
  CHECK(resolved("-1e400").number == -std::numeric_limits<double>::infinity());
}

TEST_CASE("what YAML 1.1 takes for something else is text") {
  for (const char* text :
       {"yes",        "no",    "on",   "off",  "y",     "1_000",     "12:30", "12:30:45",
        "2026-01-01", "0b11",  "nUll", "tRue", "1e",    "e4",        ".",     "-",
        "+",          "1.2.3", "0x",   "0o8",  "-0x1F", ".Infinity", "1e4x"}) {
    INFO(text);
    CHECK(resolved(text).kind == Node::Kind::text);
  }
}

TEST_CASE("a number with a leading zero asks which is meant") {
  for (const char* text : {"012", "-007", "00", "00.5", "08", "01e3"}) {
    Node node = knead::schema::text_node(text, {});
    INFO(text);
    CHECK(knead::schema::resolve_plain(node));
    CHECK(node.kind == Node::Kind::text);
  }
  for (const char* text : {"0", "0.5", "-0.5", "0e3", "0x0F", "0o07"})
    CHECK_FALSE(knead::schema::has_leading_zero(text));
}

TEST_CASE("a whole number beyond 64 bits is no number at all") {
  Node node = knead::schema::text_node("9223372036854775808", {});
  CHECK(knead::schema::resolve_plain(node) == "'9223372036854775808' does not fit in 64 bits");
  CHECK(resolved("9223372036854775807").integer == std::numeric_limits<std::int64_t>::max());
  CHECK(resolved("-9223372036854775808").integer == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("numbers are printed as the shortest text that reads back the same") {
  for (const double value : {0.001, 1e-8, 3.0, 0.1, 1e300, -2.5, 1.0 / 3, 123456789.0}) {
    CHECK(resolved(knead::schema::number_text(value)).number == value);
  }
  CHECK(knead::schema::number_text(1e-3) == "0.001");
  CHECK(knead::schema::number_text(32) == "32");
}
