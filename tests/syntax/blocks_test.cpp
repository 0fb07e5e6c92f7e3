#include <catch2/catch.hpp>

#include "runner/syntax/parse.h"
#include "tests/syntax/dump.h"

using namespace knead;
using namespace knead::syntax;

namespace {

std::shared_ptr<const File> read_blocks(std::string text) {
  return parse(std::make_shared<schema::Source>("model.py", "/model.py", std::move(text)));
}

std::string text_of(const File& file, Range range) {
  return file.source->text().substr(range.begin, range.end - range.begin);
}

/// Returns the value of the first statement of an `async def` in words.
std::string value_in_function(const std::string& text) {
  const auto file = read_blocks("async def f():\n  " + text);
  const Statement& one = std::get<Function>(file->body.at(0).kind).body.at(0);
  if (const auto* assign = std::get_if<Assign>(&one.kind)) return tests::grouped(assign->value);
  if (const auto* changed = std::get_if<AugmentedAssign>(&one.kind)) {
    return tests::grouped(changed->value);
  }
  if (const auto* annotated = std::get_if<AnnotatedAssign>(&one.kind)) {
    return tests::grouped(*annotated->value);
  }
  return tests::grouped(std::get<ExpressionStatement>(one.kind).value);
}

}  // namespace

TEST_CASE("a try has its blocks") {
  const std::string text = "try:\n  a\nexcept (b, c) as d: e\nexcept: f\nelse:\n  g\nfinally: h\n";
  const auto file = read_blocks(text);
  const auto& one = std::get<Try>(file->body.at(0).kind);
  CHECK(text_of(*file, file->body[0].range) == text.substr(0, text.size() - 1));
  CHECK_FALSE(one.takes_groups);
  CHECK(text_of(*file, one.body.at(0).range) == "a");
  REQUIRE(one.handlers.size() == 2);
  CHECK(text_of(*file, one.handlers[0].range) == "except (b, c) as d: e");
  CHECK(tests::grouped(*one.handlers[0].type) == "tuple(b, c)");
  CHECK(one.handlers[0].name == "d");
  CHECK(text_of(*file, one.handlers[0].name_range) == "d");
  CHECK(text_of(*file, one.handlers[1].range) == "except: f");
  CHECK_FALSE(one.handlers[1].type);
  CHECK(one.handlers[1].name.empty());
  CHECK(text_of(*file, one.otherwise.at(0).range) == "g");
  CHECK(text_of(*file, one.at_the_end.at(0).range) == "h");
}

TEST_CASE("a try may have only handlers or only a finally") {
  const auto groups = read_blocks("try: a\nexcept* b: c\nexcept *d as e: f\n");
  const auto& one = std::get<Try>(groups->body.at(0).kind);
  CHECK(one.takes_groups);
  CHECK(one.handlers.size() == 2);
  CHECK((one.otherwise.empty() && one.at_the_end.empty()));
  const auto last = read_blocks("try: a\nfinally: b\n");
  CHECK(std::get<Try>(last->body.at(0).kind).handlers.empty());
  CHECK(std::get<Try>(last->body[0].kind).at_the_end.size() == 1);
}

TEST_CASE("a loop in an except* may be left") {
  CHECK_NOTHROW(read_blocks("try: a\nexcept* b:\n  for c in d: break\n"));
  CHECK_NOTHROW(read_blocks("try: a\nexcept* b:\n  def f(): return 1\n"));
  CHECK_NOTHROW(read_blocks("for a in b:\n  try: c\n  except* d: e\n  else: break\n"));
  CHECK_NOTHROW(read_blocks("for a in b:\n  try: c\n  except d: break\n  finally: continue\n"));
}

TEST_CASE("names are declared global and nonlocal") {
  const auto file = read_blocks("def f():\n  a = 1\n  def g():\n    nonlocal a\n    global b, c\n");
  const auto& outer = std::get<Function>(file->body.at(0).kind);
  const auto& inner = std::get<Function>(outer.body.at(1).kind);
  const auto& first = std::get<Declaration>(inner.body.at(0).kind);
  const auto& second = std::get<Declaration>(inner.body.at(1).kind);
  CHECK_FALSE(first.is_global);
  CHECK(first.names == std::vector<std::string>{"a"});
  CHECK(second.is_global);
  CHECK(second.names == std::vector<std::string>{"b", "c"});
}

TEST_CASE("for, with and def may be async") {
  const auto file = read_blocks(
      "@a\nasync def f():\n  async for b in c: pass\n  else: d\n  async with (e as g, h): pass\n"
      "  for b in c: pass\n");
  CHECK(text_of(*file, file->body.at(0).range).starts_with("async def f():\n"));
  const auto& function = std::get<Function>(file->body[0].kind);
  CHECK((function.is_async && function.decorators.size() == 1));
  const auto& loop = std::get<For>(function.body.at(0).kind);
  CHECK((loop.is_async && loop.otherwise.size() == 1));
  CHECK(text_of(*file, function.body[0].range) == "async for b in c: pass\n  else: d");
  const auto& with = std::get<With>(function.body.at(1).kind);
  CHECK((with.is_async && with.items.size() == 2));
  CHECK_FALSE(std::get<For>(function.body.at(2).kind).is_async);
}

TEST_CASE("yield stands where a value is assigned, and in parentheses") {
  CHECK(value_in_function("yield") == "(yield)");
  CHECK(value_in_function("yield a, *b") == "(yield bare(a, *b))");
  CHECK(value_in_function("x = y = yield a if b else c") == "(yield (a if b else c))");
  CHECK(value_in_function("x += yield; y") == "(yield)");
  CHECK(value_in_function("x: int = yield 1") == "(yield 1)");
  CHECK(value_in_function("g((yield), [(yield a)])") == "g((yield), [(yield a)])");
  CHECK(value_in_function("f'{yield a, b!r}{(yield)}'") == "f'<(yield bare(a, b))!r><(yield)>'");
  CHECK(value_in_function("lambda: (yield from a)") == "(lambda : (yield from a))");
  CHECK(value_in_function("[a for a in (yield)]") == "list(a for a in (yield))");
}

TEST_CASE("await binds tighter than operators") {
  CHECK(value_in_function("-await a.b(c)[d] ** await e + f") ==
        "((-((await a.b(c)[d]) ** (await e))) + f)");
  CHECK(value_in_function("not await (await a)") == "(not (await (await a)))");
  CHECK(value_in_function("x = await a, await b") == "bare((await a), (await b))");
  CHECK(value_in_function("[await a async for a in b if await c for d in e]") ==
        "list((await a) async for a in b if (await c) for d in e)");
}

TEST_CASE("an asynchronous generator expression stands in any function") {
  CHECK_NOTHROW(read_blocks("(await a async for a in b)\n"));
  CHECK_NOTHROW(read_blocks("def f(): return g(a async for a in b)\n"));
  CHECK_NOTHROW(read_blocks("class A:\n  x = ([b async for b in c] for c in d)\n"));
}
