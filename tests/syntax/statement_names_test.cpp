#include "runner/syntax/names/statement_names.h"

#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "runner/syntax/parse.h"

namespace {

using knead::syntax::Names;

/// Returns the lines of a text that the names need, without their line ends, separated by " | ".
std::string needed(const std::string& text, const Names& names) {
  const auto file =
      knead::syntax::parse(std::make_shared<knead::schema::Source>("model.py", "", text));
  std::string lines;
  for (const std::size_t place :
       knead::syntax::statements_for(knead::syntax::statement_names(*file), names)) {
    const auto range = file->body.at(place).range;
    const std::string line = text.substr(range.begin, range.end - range.begin);
    lines += (lines.empty() ? "" : " | ") + line.substr(0, line.find('\n'));
  }
  return lines;
}

}  // namespace

TEST_CASE("a name needs the statements that give it its value, in the order of the file") {
  const std::string text =
      "import os\na = 1\nb = a + 1\nc = load()\na = 2\nprint(a)\nclass A:\n    width = b\n";
  CHECK(needed(text, {"c"}) == "c = load()");
  CHECK(needed(text, {"os"}) == "import os");
  CHECK(needed(text, {}).empty());
  // `b = a + 1` would read 2 if it ran after `a = 2`.
  CHECK(needed(text, {"a"}) == "a = 1 | b = a + 1 | a = 2");
  CHECK(needed(text, {"A"}) == "a = 1 | b = a + 1 | a = 2 | class A:");
}

TEST_CASE("changes of a value belong to its name") {
  CHECK(needed("x = []\nx.append(1)\nx[0] = 2\ny = x\nx.sort()\n", {"y"}) ==
        "x = [] | x.append(1) | x[0] = 2 | y = x | x.sort()");
  CHECK(needed("x = []\nfor i in range(3):\n    x.append(i)\n", {"x"}) ==
        "x = [] | for i in range(3):");
  CHECK(needed("x, y = [1], 2\ndel [x[0], y]\n", {"x"}) == "x, y = [1], 2 | del [x[0], y]");
  // A module of an import is not changed by a call of its functions.
  CHECK(needed("import torch\ntorch.manual_seed(0)\n", {"torch"}) == "import torch");
  CHECK(needed("x = 1\nprint(x)\n", {"x"}) == "x = 1");
}

TEST_CASE("functions need what they read when they are called") {
  const std::string text =
      "def f(x, y=one):\n    z = [q for q in x]\n    return g(z) + two\none = 1\ntwo = 2\nz = 3\n"
      "def g(z): return z\n";
  CHECK(needed(text, {"f"}) == "def f(x, y=one): | one = 1 | two = 2 | def g(z): return z");
}

TEST_CASE("decorators and calls change what their functions change") {
  const std::string text =
      "models = {}\ndef register(name):\n    def add(kind):\n        models[name] = kind\n"
      "        return kind\n    return add\n@register('a')\nclass A: pass\nclass B: pass\n";
  CHECK(needed(text, {"models"}) == "models = {} | def register(name): | class A: pass");
  CHECK(needed("n = 0\nclass C:\n    def __init__(self):\n        global n\n        n = 1\n"
               "    def show(self):\n        global n\n        n = 2\nc = C()\n",
               {"n"})
            .ends_with("c = C()"));
  const std::string shown =
      "n = 0\nclass C:\n    def show(self):\n        global n\n        n = 2\nc = C()\n";
  CHECK(needed(shown, {"n"}) == "n = 0");
  CHECK(needed(shown + "c.show()\n", {"n"}) == "n = 0 | class C: | c = C() | c.show()");
}

TEST_CASE("a script's own part is not run, and defaults of torch always are") {
  const std::string text =
      "import torch\ntorch.set_default_dtype(torch.float64)\nx = 1\n"
      "if __name__ == '__main__':\n    x = 2\n";
  CHECK(needed(text, {"x"}) == "import torch | torch.set_default_dtype(torch.float64) | x = 1");
}

TEST_CASE("a name that nothing binds may come from a star") {
  CHECK(needed("from a import *\ny = 1\nclass A(Base): pass\n", {"A"}) ==
        "from a import * | class A(Base): pass");
  CHECK(needed("from a import *\nx = len\n", {"x"}) == "x = len");
}
