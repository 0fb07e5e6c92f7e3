#include "runner/engine/model/source/build_source.h"

#include <ATen/ops/ones.h>

#include <nlohmann/json.hpp>

#include "runner/engine/device/start.h"
#include "runner/syntax/refusal.h"
#include "schema/document/error.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::model {
namespace {

constexpr const char* kImported =
    "from typing import Dict, Optional, Tuple\nimport typing\nimport torch\nfrom torch import nn\n";

/// Compiles the class Net of net.py, which begins with five lines of imports.
std::unique_ptr<Model> net_in(const knead::tests::Folder& folder, const std::string& source) {
  start_torch({});
  Request request;
  request.source = folder.write("net.py", kImported + ("\n" + source));
  request.class_name = "Net";
  return compile_source(request);
}

/// Returns the first number of Net's output for ones.
double output_for_ones(const std::string& source) {
  const knead::tests::Folder folder;
  return net_in(folder, source)->forward({at::ones({1})}).toTensor().item<double>();
}

/// Returns place and message of the refusal of Net, "7:16: …".
std::string refusal_of(const std::string& source) {
  const knead::tests::Folder folder;
  try {
    net_in(folder, source);
  } catch (const syntax::Refusal& refusal) {
    const std::string text = refusal.what();
    return text.substr(text.find(".py:") + 4);
  }
  return "nothing was refused";
}

/// Returns a class Net whose __init__ ends with a line and whose forward has the given body.
std::string net(const std::string& initial, const std::string& body) {
  return "class Net(nn.Module):\n"
         "    def __init__(self):\n"
         "        super().__init__()\n"
         "        " +
         initial + "\n\n    def forward(self, x):\n" + body;
}

TEST_CASE("An item of a container that is registered as None is None") {
  const std::string uses_first =
      "        if self.parts[0] is not None:\n"
      "            x = self.parts[0](x)\n"
      "        return self.parts[1](x) + 2\n";
  CHECK(output_for_ones(net("self.parts = nn.ModuleList([None, nn.ReLU()])", uses_first)) == 3);
  const std::string uses_named =
      "        if self.parts['a'] is not None:\n"
      "            x = self.parts['a'](x)\n"
      "        for part in self.parts.values():\n"
      "            if part is None:\n"
      "                x = x + 2\n"
      "        return x\n";
  CHECK(output_for_ones(
            net("self.parts = nn.ModuleDict({'a': None, 'b': nn.ReLU()})", uses_named)) == 3);
}

TEST_CASE("A dict whose keys are tuples is refused where a method uses it") {
  CHECK(output_for_ones(net("self.index = {(0, 1): 3}", "        return x + 1\n")) == 2);
  CHECK(output_for_ones(
            net("self.index: Dict[Tuple[int, int], int] = {}", "        return x + 1\n")) == 2);
  CHECK(refusal_of(net("self.index = {(0, 1): 3}", "        return x * self.index[(0, 1)]\n")) ==
        "12:20: a method cannot use this dict: its keys are tuples");
}

TEST_CASE("The annotation of a dict whose keys are tuples is refused at its place") {
  CHECK(refusal_of("class Net(nn.Module):\n"
                   "    def forward(self, x: Dict[Tuple[int, int], int]):\n"
                   "        return x\n") == "7:26: a method does not know this type");
}

TEST_CASE("super() continues behind the class of the method, also if a base has its name") {
  const knead::tests::Folder folder;
  folder.write("base.py",
               "from torch import nn\n\n\nclass Root(nn.Module):\n"
               "    def forward(self, x):\n        return x * 2\n\n\n"
               "class Net(Root):\n    def forward(self, x):\n"
               "        return super().forward(x) + 10\n");
  const auto model = net_in(folder,
                            "import base\n\n\nclass Net(base.Net):\n"
                            "    def forward(self, x):\n"
                            "        return super().forward(x) + super(Net, self).forward(x)\n");
  CHECK(model->forward({at::ones({1})}).toTensor().item<double>() == 24);
}

TEST_CASE("isinstance() of something that is no type is refused at its place") {
  CHECK(refusal_of(net("self.part = nn.ReLU()",
                       "        if isinstance(self.part, typing.Any):\n"
                       "            x = x + 1\n"
                       "        return x\n")) == "12:34: a method does not know this type");
}

TEST_CASE("Integers that no double tells apart are compared exactly at compile time") {
  const std::string numbers = "LARGE = 9007199254740993\nLESS = 9007199254740992\n\n\n";
  CHECK(output_for_ones(numbers + net("self.add = 1",
                                      "        if LARGE > LESS:\n"
                                      "            return x + self.add\n"
                                      "        return x\n")) == 2);
}

TEST_CASE("Modules with different settings in a dict do not share compiled code") {
  const std::string block =
      "class Block(nn.Module):\n"
      "    def __init__(self, add, times):\n"
      "        super().__init__()\n"
      "        self.settings = {'name': 'x', 'add': add, 'inner': {'name': 'y', 'times': "
      "times}}\n\n"
      "    def forward(self, x):\n"
      "        return (x + self.settings['add']) * self.settings['inner']['times']\n\n\n";
  CHECK(output_for_ones(block + net("self.blocks = nn.Sequential(Block(1, 2), Block(10, 2), "
                                    "Block(10, 3))",
                                    "        return self.blocks(x)\n")) ==
        ((2 * 2 + 10) * 2 + 10) * 3);
}

std::string message_of_attribute(Model& model, const nlohmann::json& value) {
  try {
    model.set_attributes({.values = {{"kept", value}}, .tensors = {}});
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST_CASE("Attributes of another type than the model's are refused") {
  const knead::tests::Folder folder;
  const auto types = [&](const std::string& initial) {
    return net_in(
        folder, net("self.kept = " + initial, "        self.kept = self.kept\n        return x\n"));
  };
  const auto integer = types("0");
  CHECK(message_of_attribute(*integer, 3) == "nothing was refused");
  CHECK(integer->attributes().values["kept"] == 3);
  CHECK(message_of_attribute(*integer, "3") ==
        "the 'kept' of the checkpoint is not of the type int");
  const auto number = types("0.5");
  for (const char* text : {"nan", "inf", "-inf"}) {
    CHECK(message_of_attribute(*number, text) == "nothing was refused");
    CHECK(number->attributes().values["kept"] == text);
  }
  CHECK(message_of_attribute(*number, "half") ==
        "the 'kept' of the checkpoint is not of the type float");
  const auto list = types("[1, 2]");
  CHECK(message_of_attribute(*list, {3, 4, 5}) == "nothing was refused");
  CHECK(list->attributes().values["kept"] == nlohmann::json{3, 4, 5});
  CHECK(message_of_attribute(*list, 3) ==
        "the 'kept' of the checkpoint is not of the type List[int]");
  CHECK(message_of_attribute(*list, {3, "4"}) ==
        "the 'kept' of the checkpoint is not of the type List[int]");
}

}  // namespace
}  // namespace knead::engine::model
