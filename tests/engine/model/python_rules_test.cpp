#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluate.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/values/values.h"
#include "runner/syntax/parse.h"
#include "runner/syntax/refusal.h"
#include "tests/engine/model/sources.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace model = knead::engine::model;

namespace {

constexpr const char* kShowsValue =
    "\nfrom torch import nn\n\n\nclass Model(nn.Module):\n    def __init__(self):\n"
    "        super().__init__()\n        self.result = repr(result)\n";

/// Runs a snippet and returns repr() of its name `result`, or the message of its refusal.
std::string result_of(const std::string& snippet) {
  const knead::tests::Folder folder;
  model::Program program;
  try {
    const auto module =
        model::evaluate({.source = folder.write("snippet.py", snippet + kShowsValue),
                         .class_name = "Model",
                         .args = knead::engine::tests::arguments("{}")},
                        program);
    return std::get<std::string>(module->attributes.at(0).second);
  } catch (const knead::syntax::Refusal& refusal) {
    return refusal.problem().message;
  }
}

/// Sends standard error to a file while it lives.
class StandardErrorIn {
 public:
  explicit StandardErrorIn(const std::filesystem::path& path) {
    std::fflush(stderr);
    before_ = ::dup(STDERR_FILENO);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(file, STDERR_FILENO);
    ::close(file);
  }
  ~StandardErrorIn() {
    std::fflush(stderr);
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
  }
  StandardErrorIn(const StandardErrorIn&) = delete;
  StandardErrorIn& operator=(const StandardErrorIn&) = delete;

 private:
  int before_;
};

}  // namespace

TEST_CASE("print() joins by sep and ends with end") {
  const knead::tests::Folder folder;
  const auto path = folder / "printed.txt";
  std::string result;
  {
    const StandardErrorIn file(path);
    result = result_of("result = print('a', 1, sep=' and also, at some length, ', end=' end\\n')");
  }
  CHECK(result == "None");
  CHECK(knead::tests::text_of(path) == "a and also, at some length, 1 end\n");
}

TEST_CASE("Integers are exact up to the ends of 64 bits") {
  const std::string least = "import math\nm = -9223372036854775807 - 1\n";
  CHECK(result_of(least + "result = [m.bit_length(), (-1).bit_length(), (0).bit_length()]") ==
        "[64, 1, 0]");
  CHECK(result_of("result = [(255).bit_length(), (256).bit_length()]") == "[8, 9]");
  CHECK(result_of(least + "result = [abs(m + 1), math.gcd(-12, 18), math.lcm(-4, 6)]") ==
        "[9223372036854775807, 6, 12]");
  for (const char* call : {"abs(m)", "math.lcm(m, 1)", "math.gcd(m, 0)", "-m"}) {
    INFO(call);
    CHECK(result_of(least + "result = " + call) == "this whole number does not fit 64 bits");
  }
}

TEST_CASE("int() reads every text of 64 bits") {
  CHECK(result_of("result = [int('-9223372036854775808'), int(' +7 '), int('-ff', 16)]") ==
        "[-9223372036854775808, 7, -255]");
  for (const std::string text : {"--1", "+-1", "-+1", "+", "-", ""}) {
    INFO(text);
    CHECK(result_of("result = int('" + text + "')") ==
          "invalid literal for int() with base 10: '" + text + "'");
  }
}

TEST_CASE("A class of the file may be named as one of typing") {
  for (const std::string name : {"Generic", "Protocol"}) {
    INFO(name);
    CHECK(result_of("class " + name + ":\n    width = 3\n\n\nclass Config(" + name +
                    "):\n    pass\n\n\nresult = Config().width") == "3");
    CHECK(result_of("from typing import TypeVar, " + name + "\n\nT = TypeVar('T')\n\n\n" +
                    "class Config(" + name + "[T]):\n    width = 3\n\n\n" +
                    "result = Config().width") == "3");
  }
}

TEST_CASE("A NamedTuple equals a tuple of its fields") {
  const std::string pairs =
      "from typing import NamedTuple\n\n\nclass Pair(NamedTuple):\n    a: int\n    b: int\n\n\n"
      "class Same(NamedTuple):\n    c: int\n    d: int\n\n\np = Pair(1, 2)\n";
  CHECK(result_of(pairs + "result = [p == (1, 2), (1, 2) == p, p == Same(1, 2), p in [(1, 2)]]") ==
        "[True, True, True, True]");
  CHECK(result_of(pairs + "result = [p != (1, 2), p == (1, 3), p == (1, 2, 3), p == [1, 2]]") ==
        "[False, False, False, False]");
  CHECK(result_of(pairs + "result = [{(1, 2): 'x'}[p], p == None]") == "['x', False]");
}

TEST_CASE("A model that takes too many steps is told its limit") {
  const auto said_with = [](std::int64_t steps) -> std::string {
    model::Program program;
    model::Evaluator evaluator(program, {}, {.steps = steps});
    model::add_builtins(evaluator);
    const std::string text = "while True:\n    pass\n";
    try {
      evaluator.run(knead::syntax::parse(std::make_shared<knead::schema::Source>(
                        "net.py", std::filesystem::path(), text)),
                    "net");
    } catch (const knead::syntax::Refusal& refusal) {
      return refusal.problem().message;
    }
    return "nothing was refused";
  };
  CHECK(said_with(1500) == "this takes too many steps: building a model may take 1500");
  CHECK(said_with(2'000'000) == "this takes too many steps: building a model may take 2 million");
}

TEST_CASE("An annotated assignment evaluates its target once") {
  CHECK(result_of("class Box:\n    pass\n\n\nboxes = [Box()]\ncalls = []\n\n\n"
                  "def box():\n    calls.append(1)\n    return boxes[0]\n\n\n"
                  "box().size: int = 3\nresult = [boxes[0].size, len(calls)]") == "[3, 1]");
}

TEST_CASE("ModuleDict.pop() takes its key by position or by name") {
  const std::string dict = "from torch import nn\nd = nn.ModuleDict({'a': nn.ReLU()})\n";
  CHECK(result_of(dict + "result = [type(d.pop('a')).__name__, len(d)]") == "['ReLU', 0]");
  CHECK(result_of(dict + "result = [type(d.pop(key='a')).__name__, len(d)]") == "['ReLU', 0]");
  CHECK(result_of(dict + "result = d.pop(key='b')") == "KeyError: 'b'");
  CHECK(result_of(dict + "result = d.pop()") ==
        "pop() missing 1 required positional argument: 'key'");
}
