#include <regex>

#include <catch2/catch.hpp>

#include "runner/engine/model/python/evaluate.h"
#include "runner/engine/model/values/values.h"
#include "runner/files/read.h"
#include "runner/syntax/refusal.h"
#include "schema/document/problem_text.h"
#include "tests/engine/model/sources.h"
#include "tests/folder.h"

using knead::engine::tests::arguments;
using knead::tests::Folder;
namespace model = knead::engine::model;

namespace {

/// The texts between lines of three dashes.
std::vector<std::string> blocks(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\n---\n", begin), text.size() - 1);
    found.push_back(text.substr(begin, end + 1 - begin));
    begin = end + 5;
  }
  return found;
}

/// A message without the folder of the test, and without the lines of the layers, which move.
std::string without(std::string text, const std::string& folder) {
  // As it is named from the root, too: that is the current directory of some.
  for (const std::string& prefix : {folder + "/", folder.substr(1) + "/"}) {
    for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
      text.erase(at, prefix.size());
    }
  }
  static const std::regex place("(models/layers/[a-z]+[.]py):[0-9]+:[0-9]+");
  return std::regex_replace(text, place, "$1:LINE");
}

std::string said(const Folder& folder, const std::string& source, const std::string& args = "{}",
                 const std::string& class_name = "") {
  model::Program program;
  try {
    model::evaluate({.source = folder.write("net.py", source),
                     .class_name = class_name,
                     .args = arguments(args)},
                    program);
  } catch (const knead::syntax::Refusal& refusal) {
    return without(knead::syntax::to_text(refusal), folder.path());
  } catch (const knead::schema::InvalidRecipe& invalid) {
    return knead::schema::to_text(invalid.problems());
  } catch (const knead::Error& error) {
    return without(error.what(), folder.path()) + "\n" + error.remedy() + "\n";
  }
  return "nothing is wrong\n";
}

const std::string kTakesArguments = R"(from dataclasses import dataclass
from typing import Optional

from torch import nn


@dataclass
class Inner:
    heads: int
    bias: bool = True


@dataclass
class Config:
    width: int
    inner: Optional[Inner] = None


class Net(nn.Module):
    def __init__(self, config: Config, depth: int = 2, *, rate: float = 0.5):
        super().__init__()
        self.seen = f"{config} {depth} {rate}"
)";

}  // namespace

TEST_CASE("what cannot be built is said at the user's line, to the character") {
  const Folder folder;
  folder.write("blocks.py",
               "from torch import nn\n\n\nclass Block(nn.Module):\n    def __init__(self, width):\n"
               "        super().__init__()\n        self.fc = nn.Linear(width, 2)\n");
  const std::string base = KNEAD_ROOT "/tests/fixtures/models/refusals";
  std::string all;
  for (const std::string& source : blocks(knead::files::read_text(base + ".txt"))) {
    const std::string class_name = source.find("class Net") != std::string::npos ? "Net" : "";
    all += source + "---\n" + said(folder, source, "{}", class_name) + "---\n";
  }
  // The file as it would be now lies in the build folder, to look at and to copy.
  std::ofstream(KNEAD_BUILD "/refusals.expected.txt") << all;
  CHECK(all == knead::files::read_text(base + ".expected.txt"));
}

TEST_CASE("args become arguments: maps become the dataclasses that are expected") {
  const Folder folder;
  model::Program program;
  const auto module =
      model::evaluate({.source = folder.write("net.py", kTakesArguments),
                       .class_name = "",
                       .args = arguments("{config: {width: 3, inner: {heads: 2}}, rate: 0.25}")},
                      program);
  CHECK(std::get<std::string>(module->attributes[0].second) ==
        "Config(width=3, inner=Inner(heads=2, bias=True)) 2 0.25");
}

TEST_CASE("args that do not fit are problems of the recipe") {
  const Folder folder;
  const auto problems = [&](const std::string& args) {
    return said(folder, kTakesArguments, args);
  };
  CHECK(problems("{}") ==
        "recipe.yaml:1:1: error: Net needs the argument 'config' [missing-argument]\n"
        "    1 | {}\n"
        "      | ^\n");
  CHECK(problems("{config: {width: 3, hieght: 2}, dept: 1}") ==
        "recipe.yaml:1:21: error: Config takes no argument 'hieght' [unknown-argument]\n"
        "    1 | {config: {width: 3, hieght: 2}, dept: 1}\n"
        "      |                     ^~~~~~\n"
        "      = it takes width, inner\n"
        "recipe.yaml:1:33: error: Net takes no argument 'dept' [unknown-argument]\n"
        "    1 | {config: {width: 3, hieght: 2}, dept: 1}\n"
        "      |                                 ^~~~\n"
        "      = did you mean 'depth'?\n");
}

TEST_CASE("the __init__ of a package imports files of its own folder") {
  const Folder folder;
  folder.write("parts/__init__.py",
               "from . import sizes\nfrom . import layers as kinds\nfrom parts import depths\n");
  folder.write("parts/sizes.py", "WIDTH = 3\n");
  folder.write("parts/layers.py", "from torch import nn\nKIND = nn.Linear\n");
  folder.write("parts/depths.py", "DEPTH = 2\n");
  const std::string source =
      "from parts import sizes, kinds, depths\nimport parts\nfrom torch import nn\n\n\n"
      "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
      "        self.fc = kinds.KIND(sizes.WIDTH, depths.DEPTH)\n"
      "        assert parts.sizes is sizes\n";
  model::Program program;
  const auto module = model::evaluate(
      {.source = folder.write("net.py", source), .class_name = "", .args = arguments("{}")},
      program);
  CHECK(module->modules[0].first == "fc");
}

TEST_CASE("files beside the model can be imported") {
  const Folder folder;
  folder.write("parts/__init__.py", "from .blocks import Block\n\nWIDTH = 3\n");
  folder.write("parts/blocks.py",
               "from torch import nn\n\n\nclass Block(nn.Module):\n    def __init__(self, width):\n"
               "        super().__init__()\n        self.fc = nn.Linear(width, width)\n");
  folder.write("sizes.py", "HIDDEN = 5\n");
  const std::string source =
      "import sizes\nimport parts.blocks\nfrom parts import WIDTH, Block\nfrom parts.blocks import "
      "Block as Same\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
      "        super().__init__()\n        self.block = Block(sizes.HIDDEN + WIDTH)\n"
      "        assert Same is Block is parts.blocks.Block\n";
  model::Program program;
  const auto module = model::evaluate(
      {.source = folder.write("net.py", source), .class_name = "", .args = arguments("{}")},
      program);
  CHECK(module->modules[0].first == "block");
  std::vector<std::string> user;
  for (const auto& file : program.files) {
    if (!file->module.starts_with("torch.")) user.push_back(file->module);
  }
  CHECK(user == std::vector<std::string>{"net", "sizes", "parts", "parts.blocks"});
}
