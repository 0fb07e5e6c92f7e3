#include <catch2/catch.hpp>

#include "runner/syntax/parse.h"
#include "tests/syntax/dump.h"

using namespace knead;
using namespace knead::syntax;

namespace {

/// Returns the value of an expression that is a file of its own.
std::string grouped_value(std::string text) {
  const auto file =
      parse(std::make_shared<schema::Source>("model.py", "/model.py", std::move(text)));
  return tests::grouped(std::get<ExpressionStatement>(file->body.at(0).kind).value);
}

}  // namespace

TEST_CASE("numbers have Python's values") {
  CHECK(grouped_value("0x_fF + 0b1_0 + 0o17 + 1_000 + 00") == "((((255 + 2) + 15) + 1000) + 0)");
  CHECK(grouped_value("9223372036854775807") == "9223372036854775807");
  CHECK(grouped_value("9223372036854775808") == "too large");
  CHECK(grouped_value("1., .5, 1e3, 1_0.0_1e1_0, 0e0, 012.5") ==
        "bare(float 1, float 0.5, float 1000, float 100100000000, float 0, float 12.5)");
  CHECK(grouped_value("1e999, 1e-999, 0.0001e-400") == "bare(float inf, float 0, float 0)");
  CHECK(grouped_value("5e-324") == "float 5e-324");
  CHECK(grouped_value("1if a else 2") == "(1 if a else 2)");
  CHECK(grouped_value("2j, 0_1.5J, 1e3j, 0777j, 1e999j") ==
        "bare(imaginary 2, imaginary 1.5, imaginary 1000, imaginary 777, imaginary inf)");
  CHECK(grouped_value("1+2jif a else-3j") == "((1 + imaginary 2) if a else (-imaginary 3))");
}

TEST_CASE("strings have Python's values") {
  CHECK(grouped_value(R"("a\tb\\\'\"\x41\u00e9\U0001F600\101\q")") == "'a\tb\\'\"Aé😀A\\q'");
  CHECK(grouped_value("'a' \"b\" '''c'''") == "'abc'");
  CHECK(grouped_value(R"(r"\n" R'\'')") == R"('\n\'')");
  CHECK(grouped_value("u'a'") == "'a'");
  CHECK(grouped_value("'''a\n\"b\" 'c'\\\nd'''") == "'a\n\"b\" 'c'd'");
  CHECK(grouped_value("'''a\r\nb'''\r\n") == "'a\nb'");
  CHECK(grouped_value("'a\\\r\nb'\r\n") == "'ab'");
  CHECK(grouped_value("''") == "''");
}

TEST_CASE("bytes have Python's values") {
  CHECK(grouped_value(R"(b"a\tb\\\'\x41\101\q\u0041\N{x}")") == "b'a\tb\\'AA\\q\\u0041\\N{x}'");
  CHECK(grouped_value(R"(b"\xe9\777\400")") == std::string("b'\xe9\xff\0'", 6));
  CHECK(grouped_value("b'a' B\"b\" Rb'''\\c''' bR'\\''") == "b'ab\\c\\''");
  CHECK(grouped_value("b'''a\r\nb\\\r\nc'''\r\n") == "b'a\nbc'");
  CHECK(grouped_value("b''") == "b''");
  CHECK(grouped_value("f'{b\"a\"}'") == "f'<b'a'>'");
}

TEST_CASE("f-strings are taken apart") {
  CHECK(grouped_value(R"(f"{x!r:>{w}} {{}} {y=} {z = :3}")") ==
        "f'<x!r:><w>> {} <y=y!r> <z = z:3>'");
  CHECK(grouped_value(R"("a" f"{b}" 'c{d}')") == "f'a<b>c{d}'");
  CHECK(grouped_value(R"(f"{d['k']}{x[1:2]}{f(a, b=1)}")") == "f'<d['k']><x[1:2]><f(a, b=1)>'");
  CHECK(grouped_value(R"(f"{a!=b}{a==b}{a<=b}{a<b}")") ==
        "f'<(a != b)><(a == b)><(a <= b)><(a < b)>'");
  CHECK(grouped_value(R"(f"{(x:=5)}{x:=5}")") == "f'<(x := 5)><x:=5>'");
  CHECK(grouped_value(R"(f"{a, b}{(lambda: 1)()}")") == "f'<tuple(a, b)><(lambda : 1)()>'");
  CHECK(grouped_value(R"(rf"\{x}\d{y}")") == R"(f'\<x>\d<y>')");
  CHECK(grouped_value("f'''{\n a +\n b\n}'''") == "f'<(a + b)>'");
  CHECK(grouped_value("f''") == "f''");
}
