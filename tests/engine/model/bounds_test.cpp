// What a stranger's model cannot do: take time or memory without end, touch files, confuse C++.

#include <ATen/ops/ones.h>

#include "runner/engine/device/start.h"
#include "runner/engine/model/source/build_source.h"
#include "runner/syntax/refusal.h"
#include "schema/document/error.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::model {
namespace {

constexpr const char* kImported =
    "import functools\nfrom collections import namedtuple\nimport torch\nfrom torch import "
    "nn\n\n\n";

Request request_of(const knead::tests::Folder& folder, const std::string& source) {
  start_torch({});
  Request request;
  request.source = folder.write("net.py", kImported + source);
  request.class_name = "Net";
  return request;
}

std::string indented(const std::string& lines) {
  std::string text = "        ";
  for (const char c : lines) text += c == '\n' ? "\n        " : std::string(1, c);
  return text + "\n";
}

std::string net(const std::string& initial, const std::string& body) {
  return "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
         "        self.fc = nn.Linear(2, 2)\n" +
         indented(initial) + "\n    def forward(self, x):\n" + indented(body);
}

/// Returns the message of what refuses the model, or its first run for a batch of 4; empty if
/// nothing does.
std::string refusal_of(const std::string& source, bool interprets = false) {
  const knead::tests::Folder folder;
  try {
    const Request request = request_of(folder, source);
    const auto model = interprets ? interpret_source(request) : build_source(request);
    model->forward({at::ones({4, 2})});
  } catch (const syntax::Refusal& refusal) {
    return refusal.problem().message;
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string of_init(const std::string& lines) {
  return refusal_of(net(lines, "return self.fc(x)"));
}
std::string of_forward(const std::string& lines) { return refusal_of(net("pass", lines)); }

constexpr const char* kTooManySteps =
    "forward takes too many steps: with a batch of this size it may take 8 million";

TEST_CASE("A loop of forward that does not end is refused by its steps") {
  CHECK(of_forward("while True:\n    pass\nreturn self.fc(x)") == kTooManySteps);
  CHECK(of_forward("for i in range(10**12):\n    x = x + 0.0\nreturn self.fc(x)") == kTooManySteps);
  CHECK(of_forward("for i in range(10**5):\n    for j in range(10**5):\n        x = x + 0.0\n"
                   "return self.fc(x)") == kTooManySteps);
  CHECK(of_forward("a = [0]\nwhile True:\n    a.append(0)\nreturn self.fc(x)") == kTooManySteps);
}

TEST_CASE("A loop over what the batch holds is none") {
  CHECK(
      of_forward("for i in range(x.size(0) * 1000):\n    x = x + 0.0\nreturn self.fc(x)").empty());
}

TEST_CASE("Lists and texts of forward have a limit before they take memory") {
  CHECK(of_forward("a = [0]\nfor i in range(60):\n    a = a + a\nreturn self.fc(x)") ==
        kTooManySteps);
  CHECK(of_forward("n = x.size(0) * 10**11\na = [0] * n\nreturn self.fc(x) + len(a)") ==
        kTooManySteps);
  CHECK(of_forward("a = 'a'\nfor i in range(60):\n    a = a + a\nreturn self.fc(x) + len(a)") ==
        kTooManySteps);
}

TEST_CASE("An operator that would make too many tensors is not called") {
  const std::string many = "unbind() would make 1000000000 tensors here, and may make 300000";
  const std::string lines = "a = torch.zeros(1).expand(10**9).unbind()";
  CHECK(of_forward(lines + "\nreturn self.fc(x) + len(a)") == many);
  CHECK(refusal_of(net("pass", lines + "\nreturn self.fc(x)"), /*interprets=*/true) == many);
  CHECK(of_init(lines) == many);
  CHECK(of_init("for a in torch.zeros(1).expand(10**9):\n    pass") == many);
  CHECK(of_init("torch.tensor_split(torch.zeros(1), 10**9)") ==
        "tensor_split() would make 1000000000 tensors here, and may make 300000");
}

TEST_CASE("Comparisons, searches and tensors are steps of building a model") {
  const std::string many = "this takes too many steps: building a model may take 20 million";
  CHECK(of_init("x = [0] * 10**6\nwhile True:\n    x.count(1)") == many);
  CHECK(of_init("x = [0] * 10**6\ny = [0] * 10**6\nwhile True:\n    x == y") == many);
  CHECK(of_init("x = 'a' * 10**5\ny = 'a' * 50000 + 'b'\nwhile True:\n    y in x") == many);
  CHECK(of_init("x = []\nwhile True:\n    x.append(torch.zeros(1))") == many);
}

TEST_CASE("A method that changes what it is compared within does no harm") {
  const std::string evil =
      "class Evil:\n    def __init__(self, of):\n        self.of = of\n\n"
      "    def __eq__(self, other):\n        self.of.clear()\n        return False\n\n"
      "    def __lt__(self, other):\n        return True\n\n\n";
  const auto with_evil = [&](const std::string& lines) {
    return refusal_of(
        evil + net("x = []\nx += [Evil(x) for i in range(100)]\n" + lines, "return self.fc(x)"));
  };
  CHECK(with_evil("assert not 1 in x").empty());
  CHECK(with_evil("x.remove(1)") == "list.remove(x): x not in list");
  CHECK(with_evil("assert x.count(1) == 0").empty());
  CHECK(with_evil("x.sort()").empty());
}

TEST_CASE("Values that are not what C++ takes them for are mistakes of the source") {
  CHECK(of_init("self.__class__ = list") ==
        "__class__ assignment: 'list' object layout differs from 'Net'");
  CHECK(of_init("x = functools.partial(len, [])\nx.args = 1\nx()") ==
        "this partial has no function and arguments any more");
  CHECK(of_init("namedtuple('numpy.dtype', 'a')") ==
        "Type names and field names must be valid identifiers");
  CHECK(of_init("x = ValueError('a')\nx.args = 1\nassert str(x) == '1'").empty());
}

}  // namespace
}  // namespace knead::engine::model
