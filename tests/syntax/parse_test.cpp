#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runner/syntax/parse.h"
#include "runner/syntax/refusal.h"
#include "tests/syntax/dump.h"

using namespace knead;
using namespace knead::syntax;

namespace {

std::shared_ptr<const File> read(std::string text) {
  return parse(std::make_shared<schema::Source>("model.py", "/model.py", std::move(text)));
}

const Expression& expression_of(const File& file) {
  return std::get<ExpressionStatement>(file.body.at(0).kind).value;
}

std::string grouped(const std::string& text) { return tests::grouped(expression_of(*read(text))); }

std::string refusal_of(const std::string& text) {
  try {
    read(text);
  } catch (const Refusal& refusal) {
    return to_text(refusal);
  }
  return "accepted";
}

std::string written(const File& file, Range range) {
  return file.source->text().substr(range.begin, range.end - range.begin);
}

/// "Name 1:1 'x'" for each statement and what is in its body, in order.
void list(const File& file, const Body& body, std::string& out) {
  for (const Statement& statement : body) {
    const schema::Place place = file.place(statement.range);
    out += fmt::format("{}:{} {}\n", place.line(), place.column(), written(file, statement.range));
    if (const auto* one = std::get_if<If>(&statement.kind)) {
      list(file, one->body, out);
      list(file, one->otherwise, out);
    } else if (const auto* function = std::get_if<Function>(&statement.kind)) {
      list(file, function->body, out);
    }
  }
}

std::string statements_of(const std::string& text) {
  const auto file = read(text);
  std::string out;
  list(*file, file->body, out);
  return out;
}

}  // namespace

TEST_CASE("operators bind as in Python") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"a + b * c", "(a + (b * c))"},
      {"a - b - c", "((a - b) - c)"},
      {"a ** b ** c", "(a ** (b ** c))"},
      {"-a ** -b", "(-(a ** (-b)))"},
      {"-a + b", "((-a) + b)"},
      {"~a & b", "((~a) & b)"},
      {"a @ b / c // d % e", "((((a @ b) / c) // d) % e)"},
      {"a | b ^ c & d << e + f * -g", "(a | (b ^ (c & (d << (e + (f * (-g)))))))"},
      {"a << b >> c", "((a << b) >> c)"},
      {"a < b | c", "(a < (b | c))"},
      {"not a == b", "(not (a == b))"},
      {"not not a", "(not (not a))"},
      {"a or b and not c", "(a or (b and (not c)))"},
      {"a and b and c", "(a and b and c)"},
      {"a or b or c", "(a or b or c)"},
      {"a or (b or c)", "(a or (b or c))"},
      {"a if b else c if d else e", "(a if b else (c if d else e))"},
      {"a or b if c else d", "((a or b) if c else d)"},
      {"lambda: a if b else c", "(lambda : (a if b else c))"},
      {"lambda x, *y, z=1, **k: x", "(lambda x, *y, =z = 1, **k: x)"},
      {"lambda x, /, y, *, z: x", "(lambda /x, y, =z: x)"},
      {"a.b(c)[d].e", "a.b(c)[d].e"},
      {"-a.b", "(-a.b)"},
      {"a ** b.c(d)", "(a ** b.c(d))"},
      {"*a, b", "bare(*a, b)"},
      {"a, b if c else d,", "bare(a, (b if c else d))"},
      {"(a, b), (c), ()", "bare(tuple(a, b), c, tuple())"},
  };
  for (const auto& [text, expected] : table) CHECK(grouped(text) == expected);
}

TEST_CASE("comparisons are chained, not nested") {
  CHECK(grouped("a < b <= c != d") == "(a < b <= c != d)");
  CHECK(grouped("a is not b not in c in d is e") == "(a is not b not in c in d is e)");
  CHECK(grouped("(a < b) < c") == "((a < b) < c)");
  CHECK(grouped("a == b and c > d or e >= f") == "(((a == b) and (c > d)) or (e >= f))");
}

TEST_CASE("lists, sets, dicts and comprehensions") {
  CHECK(grouped("[a, *b, (c := 1)]") == "[a, *b, (c := 1)]");
  CHECK(grouped("{a, *b}") == "{a, *b}");
  CHECK(grouped("{a: b, **c, d: e if f else g,}") == "{a: b, **c, d: (e if f else g)}");
  CHECK(grouped("[x for x in y if a if b for c, *d in x]") ==
        "list(x for x in y if a if b for bare(c, *d) in x)");
  CHECK(grouped("{k: v for k, v in z}") == "dict(k: v for bare(k, v) in z)");
  CHECK(grouped("{x for x, in y}") == "set(x for bare(x) in y)");
  CHECK(grouped("sum(x for x in y)") == "sum(generator(x for x in y))");
  CHECK(grouped("a[1:, ::2, ..., b:c:d, None]") == "a[bare(1:, ::2, ..., b:c:d, None)]");
  CHECK(grouped("a[:], a[*b], a[b,]") == "bare(a[:], a[bare(*b)], a[bare(b)])");
  CHECK(grouped("f(a, *b, c, d=1, *e, **g, h=2)") == "f(a, *b, c, *e, d=1, **g, h=2)");
}

TEST_CASE("every statement knows its place") {
  CHECK(
      statements_of("x = 1; y = 2\nif a:\n    b\nelif c: d; e\nelse:\n\n  # comment\n  f  # g\n") ==
      "1:1 x = 1\n1:8 y = 2\n"
      "2:1 if a:\n    b\nelif c: d; e\nelse:\n\n  # comment\n  f\n"
      "3:5 b\n"
      "4:1 elif c: d; e\nelse:\n\n  # comment\n  f\n"
      "4:9 d\n4:12 e\n8:3 f\n");
  CHECK(statements_of("@a\n@b.c(d)\ndef f(x: int = 1, *, y) -> z: return (\n  x)\n") ==
        "3:1 def f(x: int = 1, *, y) -> z: return (\n  x)\n3:31 return (\n  x)\n");
}

TEST_CASE("an expression's place is without the parentheses around it") {
  const auto file = read("é = (a) + (b.c)\n");
  const auto& sum = std::get<Assign>(file->body[0].kind).value;
  CHECK(written(*file, sum.range) == "(a) + (b.c)");
  CHECK(file->place(sum.range).column() == 5);
  const auto& binary = std::get<Binary>(sum.kind);
  CHECK(written(*file, binary.left->range) == "a");
  CHECK(written(*file, binary.right->range) == "b.c");
  CHECK(written(*file, std::get<Attribute>(binary.right->kind).name_range) == "c");
  const auto inside = read("f'ab {x + y!r}'");
  const auto& parts = std::get<FString>(expression_of(*inside).kind).parts;
  CHECK(written(*inside, std::get<Replacement>(parts[1]).value->range) == "x + y");
}

TEST_CASE("lines are joined and indented as in Python") {
  CHECK(grouped("a + \\\n  b") == "(a + b)");
  CHECK(grouped("(a +\n# comment\n\n  b)\n") == "(a + b)");
  CHECK(statements_of("if a:\n\tb\n\tif c:\n\t\td\n\te\n") ==
        "1:1 if a:\n\tb\n\tif c:\n\t\td\n\te\n2:2 b\n3:2 if c:\n\t\td\n4:3 d\n5:2 e\n");
  CHECK(statements_of("\xEF\xBB\xBFx\r\ny\r\n\f\nz") == "1:2 x\n2:1 y\n4:1 z\n");
  CHECK(statements_of("if a:\n  \\\n  b\n") == "1:1 if a:\n  \\\n  b\n3:3 b\n");
  CHECK(statements_of("").empty());
  CHECK(statements_of("\n  # only this").empty());
}

TEST_CASE("a with statement has its items in parentheses, or a tuple") {
  const auto items = [](const std::string& text) {
    std::string out;
    const auto file = read(text);
    for (const With::Item& item : std::get<With>(file->body[0].kind).items) {
      out += tests::grouped(item.context);
      out += item.target ? " as " + tests::grouped(*item.target) + ";" : ";";
    }
    return out;
  };
  CHECK(items("with a as b, c: pass") == "a as b;c;");
  CHECK(items("with (a as b, c as d,): pass") == "a as b;c as d;");
  CHECK(items("with (a, b): pass") == "a;b;");
  CHECK(items("with (a, b) as c: pass") == "tuple(a, b) as c;");
  CHECK(items("with (a).b as c: pass") == "a.b as c;");
  CHECK(items("with (a := b): pass") == "(a := b);");
  CHECK(items("with (x for x in y): pass") == "generator(x for x in y);");
  CHECK(items("with (): pass") == "tuple();");
  CHECK(items("with torch.no_grad(): pass") == "torch.no_grad();");
}

TEST_CASE("imports keep module, level and names") {
  const auto words = [](const std::string& text) {
    const auto file = read(text);
    const auto& one = std::get<Import>(file->body[0].kind);
    std::string out = fmt::format("{}{} {}:", one.is_from ? "from " : "", one.level, one.module);
    for (const ImportedName& named : one.names) {
      out += fmt::format(" {}={} '{}'", named.name, named.alias, written(*file, named.range));
    }
    return out;
  };
  CHECK(words("import a.b as c, d") == "0 : a.b=c 'a.b as c' d= 'd'");
  CHECK(words("from ....a.b import (x as y,\n z,)") == "from 4 a.b: x=y 'x as y' z= 'z'");
  CHECK(words("from . import x") == "from 1 : x= 'x'");
  CHECK(words("from a import *") == "from 0 a: *= '*'");
}

TEST_CASE("words of Python that are names elsewhere stay names") {
  CHECK(grouped("match(x)") == "match(x)");
  CHECK(grouped("match[x:y].case") == "match[x:y].case");
  CHECK(grouped("type(x)") == "type(x)");
  CHECK(statements_of("match = 3\ntype: int = 4\n_ = case\n").size() > 0);
}

TEST_CASE("what is no text is refused") {
  CHECK(refusal_of("x = '\xE9'\n") ==
        "model.py:1:6: error: byte 0xE9 is not UTF-8 [model-syntax]\n"
        "    1 | x = '?'\n      |      ^\n      = save the file as UTF-8\n");
  CHECK(refusal_of(std::string("x = 1\0y", 7)) ==
        "model.py:1:6: error: control character U+0000 [model-syntax]\n"
        "    1 | x = 1?y\n      |      ^\n      = inside a string write \\x00\n");
  CHECK(refusal_of("x = 1\ry = 2") ==
        "model.py:1:6: error: a carriage return without a line feed [model-syntax]\n"
        "    1 | x = 1?y = 2\n      |      ^\n"
        "      = save the file with the line ends of Unix or Windows\n");
  CHECK(refusal_of("\xFF\xFEx").starts_with("model.py:1:1: error: the file is UTF-16"));
  CHECK(refusal_of("#!/usr/bin/python\n# -*- coding: latin-1 -*-\nx = 'é'") ==
        "model.py:2:15: error: the file says that it is latin-1, not UTF-8 [model-syntax]\n"
        "    2 | # -*- coding: latin-1 -*-\n      |               ^\n"
        "      = save it as UTF-8 and take this line out\n");
  CHECK(refusal_of("# -*- coding: latin-1 -*-\nx = 'e'") == "accepted");
  CHECK(refusal_of("# -*- coding: utf-8 -*-\nx = 'é'") == "accepted");
  CHECK(refusal_of(std::string(1 << 20, '\n')) == "accepted");
  CHECK(refusal_of(std::string((1 << 20) + 1, '\n'))
            .starts_with("model.py:1:1: error: the file is longer than 1 MiB"));
}

TEST_CASE("however deep a text is, the stack suffices") {
  const auto repeated = [](const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  for (const char* part :
       {"(",         "[",      "{",        "{**", "[*",           "f(",           "a[",
        "-",         "not ",   "lambda: ", "2**", "1 if a else ", "a.",           "a|",
        "lambda x=", "(x := ", "{a: ",     "*",   "(yield ",      "(yield from ", "(await "}) {
    CAPTURE(part);
    CHECK(refusal_of("x = " + repeated(part, 90'000) + "a").starts_with("model.py:1:"));
  }
  CHECK(refusal_of("x = a" + repeated("[0]", 90'000)).find("more than 100 levels") !=
        std::string::npos);
  CHECK(refusal_of("if a: b\n" + repeated("elif a: b\n", 90'000)).find("more than 100 levels") !=
        std::string::npos);
  std::string nested;
  for (int i = 0; i < 200; ++i) nested += std::string(i, ' ') + "try:\n";
  CHECK(refusal_of(nested).find("more than 100 levels") != std::string::npos);
  CHECK(refusal_of("try: a\n" + repeated("except b: c\n", 9'000)) == "accepted");
  CHECK(refusal_of("x = " + repeated("(", 99) + "a" + repeated(")", 99)) == "accepted");
  CHECK(refusal_of("x = [" + repeated("a, ", 90'000) + "]") == "accepted");
  CHECK(refusal_of("x = " + repeated("a and ", 90'000) + "a") == "accepted");
}

TEST_CASE("a refusal shows the calls that led to it") {
  const auto file = read("class A:\n    x = B(1)\n");
  Refusal refusal("model-failed", file->place({17, 21}), "B takes no argument", "leave it out");
  refusal.calls.push_back(file->place({13, 21}));
  CHECK(to_text(refusal) ==
        "model.py:2:9: error: B takes no argument [model-failed]\n"
        "    2 |     x = B(1)\n      |         ^~~~\n      = leave it out\n"
        "      = called at model.py:2:5: x = B(1)\n");
  CHECK(std::string(refusal.what()) == "model.py:2:9: B takes no argument");
  CHECK(refusal.code() == Exit::not_usable);
}
