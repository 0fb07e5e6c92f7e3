#include <catch2/catch.hpp>

#include "runner/syntax/classes.h"
#include "runner/syntax/parse.h"

using namespace knead;
using namespace knead::syntax;

namespace {

std::shared_ptr<const File> read_file(std::string text) {
  return parse(std::make_shared<schema::Source>("model.py", "/model.py", std::move(text)));
}

std::string outermost(const std::string& text) {
  const auto file = read_file(text);
  std::string names;
  for (const Class* one : outermost_modules(*file)) names += (names.empty() ? "" : " ") + one->name;
  return names;
}

bool binds_x(const std::string& text) { return binds(read_file(text)->body.at(0), "x"); }

}  // namespace

TEST_CASE("the outermost class is the one that no other uses") {
  CHECK(outermost("class A(nn.Module): pass\n") == "A");
  CHECK(outermost("class B(nn.Module): pass\nclass A(nn.Module):\n  def __init__(self):\n    "
                  "self.b = B()\n") == "A");
  CHECK(outermost("class A(nn.Module):\n  b: list[B]\nclass B(nn.Module): pass\n") == "A");
  CHECK(outermost("class A(nn.Module): pass\nclass B(A): pass\n") == "B");
  CHECK(outermost("class A(nn.Module): pass\nclass B(nn.Module): pass\n") == "A B");
}

TEST_CASE("a class is used through functions, and by itself it is not") {
  CHECK(outermost("def make(): return B()\ndef other(): return make()\n"
                  "class B(nn.Module): pass\n"
                  "class A(nn.Module):\n  def f(self): return other()\n") == "A");
  CHECK(outermost("class A(nn.Module):\n  def f(self): return super(A, self).f()\n") == "A");
  CHECK(outermost("class A(nn.Module): pass\ndef build(): return A()\nmodel = A()\n") == "A");
  CHECK(outermost(
            "class A(nn.Module):\n  def f(self): return f'{B()}'\nclass B(nn.Module): pass\n") ==
        "A");
  CHECK(outermost("class A(nn.Module):\n  b: B\nclass B(nn.Module):\n  a: A\n").empty());
}

TEST_CASE("what is certainly no module is none") {
  CHECK(outermost(
            "@dataclass\nclass A: pass\n@dataclasses.dataclass(frozen=True)\nclass B(nn.Module): "
            "pass\n"
            "class C: pass\nclass D(Enum): pass\nclass E(C): pass\nclass F(enum.IntEnum): pass\n"
            "class G(NamedTuple): pass\nclass H(object): pass\n")
            .empty());
  CHECK(outermost("class A(make_base()): pass\n") == "A");
  CHECK(outermost("class A(B): pass\nclass B(A): pass\n").empty());
}

TEST_CASE("every way to give a value to a name is known") {
  for (const char* text : {"x = 1",
                           "a = x = 1",
                           "(a, [*x]) = b",
                           "x += 1",
                           "x: int = 1",
                           "def x(): pass",
                           "class x: pass",
                           "import x",
                           "import x.y",
                           "import a as x",
                           "from a import x",
                           "from a import b as x",
                           "del x",
                           "for x in a: pass",
                           "for a in b:\n  x = 1",
                           "while a:\n  if b: pass\n  else: x = 1",
                           "with a as x: pass",
                           "with a:\n  x = 1",
                           "try: x = 1\nfinally: a",
                           "try: a\nexcept b as x: c",
                           "try: a\nexcept b: import x",
                           "try: a\nfinally: x = 1",
                           "try: a\nexcept b: c\nelse: x = 1",
                           "async def x(): pass"}) {
    CAPTURE(text);
    CHECK(binds_x(text));
  }
  for (const char* text :
       {"a = x", "a.x = 1", "x.a = 1", "x[0] = 1", "x: int", "def a(x): x = 1", "class a:\n  x = 1",
        "import a.x", "import x as a", "from x import a", "print(x)", "try: x\nexcept x as a: x"}) {
    CAPTURE(text);
    CHECK_FALSE(binds_x(text));
  }
}

TEST_CASE("a := gives a value to a name in the scope of its statement") {
  for (const char* text : {"print(x := 1)", "a = (x := 1)", "a[(x := 0)] = 1", "a: b = (x := 1)",
                           "if (x := a): pass", "while a:\n  print(x := 1)", "[x := b for b in a]",
                           "with a(x := 1): pass", "lambda a=(x := 1): a"}) {
    CAPTURE(text);
    CHECK(binds_x(text));
  }
  for (const char* text : {"print(a := x)", "lambda: (x := 1)", "def a(): return (x := 1)"}) {
    CAPTURE(text);
    CHECK_FALSE(binds_x(text));
  }
}
