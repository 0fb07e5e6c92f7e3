#include "runner/engine/model/python/evaluate.h"

#include <cmath>
#include <cstdio>
#include <fstream>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/values/values.h"
#include "runner/files/read.h"
#include "runner/syntax/refusal.h"
#include "schema/document/parse.h"
#include "tests/engine/model/sources.h"
#include "tests/engine/processor_probe.h"
#include "tests/folder.h"

using knead::engine::tests::arguments;
using knead::tests::Folder;
namespace model = knead::engine::model;
using nlohmann::json;

namespace {

json fixture(const std::string& name) {
  return json::parse(knead::files::read_text(KNEAD_ROOT "/tests/fixtures/models/" + name));
}

void seed(std::uint64_t number) {
  auto generator = at::globalContext().defaultGenerator(at::Device(at::kCPU));
  generator.set_current_seed(number);
}

/// FNV-1a over the bytes, as tools/record_models counts it.
std::string digest(const at::Tensor& tensor) {
  const at::Tensor whole = tensor.detach().contiguous();
  const auto* bytes = static_cast<const unsigned char*>(whole.const_data_ptr());
  std::uint64_t value = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < whole.nbytes(); ++i) value = (value ^ bytes[i]) * 0x100000001b3;
  char text[17];
  std::snprintf(text, sizeof text, "%016lx", value);
  return text;
}

/// A tensor of a module, and what the fixtures say of it.
struct Described {
  at::Tensor tensor;
  json as_json;
};

Described described(const std::string& name, const at::Tensor& tensor, const std::string& kind) {
  return {tensor,
          {{"name", name},
           {"kind", kind},
           {"shape", tensor.sizes().vec()},
           {"dtype", model::dtype_name(tensor.scalar_type())},
           {"requires_grad", tensor.requires_grad()},
           {"digest", digest(tensor)}}};
}

/// Every tensor of a module, in the order of the fixtures.
std::vector<Described> tensors(const std::shared_ptr<model::Object>& module) {
  std::vector<Described> found;
  for (const auto& [name, value] : model::named_parameters(module, true, /*each_once=*/false)) {
    found.push_back(described(name, std::get<at::Tensor>(value), "parameter"));
  }
  std::vector<std::string> persistent;
  for (const auto& entry : model::named_buffers(module, true, /*persistent_only=*/true)) {
    persistent.push_back(entry.first);
  }
  for (const auto& [name, value] : model::named_buffers(module)) {
    const bool kept = std::find(persistent.begin(), persistent.end(), name) != persistent.end();
    found.push_back(described(name, std::get<at::Tensor>(value), kept ? "buffer" : "temporary"));
  }
  return found;
}

constexpr std::int64_t kSome = 4;  // as tools/record_models has it

// Where a digest is another, whether some of the numbers, and sums of all, are off by no more than
// tools/record_models recorded. A sum may be off by the bound of a number times their number.
bool is_within_bound(const at::Tensor& tensor, const json& recorded) {
  if (!recorded.contains("bound")) return false;
  const double bound = recorded["bound"];
  const at::Tensor flat = tensor.detach().to(at::kDouble).flatten();
  const std::vector<double> some = recorded["some"];
  const std::int64_t every = (flat.numel() + kSome - 1) / kSome;
  for (std::size_t i = 0; i < some.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i) * every;
    if (!(std::abs(flat[place].item<double>() - some[i]) <= bound)) return false;
  }
  const auto count = static_cast<double>(flat.numel());
  const at::Tensor places = at::arange(1, flat.numel() + 1, flat.options()).div(count);
  const double sum = flat.sum().item<double>(), by_place = flat.mul(places).sum().item<double>();
  return std::abs(sum - recorded["sum"].get<double>()) <= count * bound &&
         std::abs(by_place - recorded["by_place"].get<double>()) <= count * bound;
}

/// What must be said of tensors: what was recorded, but for digests that the bounds let differ.
json expected(const std::vector<Described>& ours, const json& recorded, bool exact) {
  json wanted = recorded;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool may_differ = !exact && i < ours.size() && is_within_bound(ours[i].tensor, wanted[i]);
    if (may_differ) wanted[i]["digest"] = ours[i].as_json["digest"];
    for (const char* key : {"bound", "some", "sum", "by_place"}) wanted[i].erase(key);
  }
  return wanted;
}

json as_json(const std::vector<Described>& tensors) {
  json found = json::array();
  for (const Described& each : tensors) found.push_back(each.as_json);
  return found;
}

const std::string kShowsResult =
    "\nfrom torch import nn\n\n\nclass Model(nn.Module):\n    def __init__(self):\n"
    "        super().__init__()\n        self.result = repr(result)\n";

/// Returns a file whose class runs the statements: at the top level of a file they would not run,
/// because no class needs their names.
std::string in_class(const std::string& statements) {
  std::string text = "from torch import nn\n\n\nclass Model(nn.Module):\n    def __init__(self):\n";
  text += "        super().__init__()\n        ";
  for (const char letter : statements) {
    text += letter;
    if (letter == '\n') text += "        ";
  }
  return text + "\n";
}

}  // namespace

TEST_CASE("keys, shapes and initial weights are PyTorch's, bit for bit on the same processor") {
  at::set_num_threads(1);
  const json recorded = fixture("initial.json");
  const bool exact = knead::engine::computes_alike(recorded["processor"]);
  REQUIRE(recorded["models"].size() > 100);
  const Folder folder;
  for (const json& one : recorded["models"]) {
    const auto path = folder.write("model.py", one["source"].get<std::string>());
    INFO(one["source"].get<std::string>());
    seed(recorded["seed"].get<std::uint64_t>());
    model::Program program;
    try {
      const auto module = model::evaluate(
          {.source = path, .class_name = "Model", .args = arguments(one["args"].dump())}, program);
      const std::vector<Described> ours = tensors(module);
      CHECK(as_json(ours) == expected(ours, one["tensors"], exact));
    } catch (const knead::syntax::Refusal& refusal) {
      FAIL_CHECK(knead::syntax::to_text(refusal));
    }
  }
}

TEST_CASE("snippets give what Python gives, or its words") {
  const Folder folder;
  for (const json& one : fixture("language.json")) {
    const auto snippet = one["snippet"].get<std::string>();
    const std::string text = one.contains("error") ? in_class(snippet) : snippet + kShowsResult;
    const auto path = folder.write("snippet.py", text);
    INFO(snippet);
    model::Program program;
    try {
      const auto module = model::evaluate(
          {.source = path, .class_name = "Model", .args = arguments("{}")}, program);
      if (!one.contains("result")) {
        FAIL_CHECK("Python says: " + one["error"].get<std::string>());
        continue;
      }
      REQUIRE(module->attributes.size() == 1);
      CHECK(std::get<std::string>(module->attributes[0].second) == one["result"]);
    } catch (const knead::syntax::Refusal& refusal) {
      if (!one.contains("error")) {
        FAIL_CHECK(knead::syntax::to_text(refusal));
        continue;
      }
      // What the source raises itself is shown with the exception's name.
      const auto words = one["error"].get<std::string>();
      const std::string& message = refusal.problem().message;
      if (message != one["type"].get<std::string>() + ": " + words) CHECK(message == words);
    }
  }
}

TEST_CASE("a whole number of a recipe is a float where the parameter is one") {
  const Folder folder;
  const auto path = folder.write("model.py", R"(from dataclasses import dataclass, field
from typing import List, Optional, Union

import torch
from torch import nn


@dataclass
class Config:
    rate: float = 0.1
    count: int = 1
    either: Union[int, float] = 1.5
    maybe: Optional[float] = None
    rates: List[float] = field(default_factory=list)


class Model(nn.Module):
    def __init__(self, config: Config, p=0.5, n=2, q: float = 1):
        super().__init__()
        self.shown = repr((config.rate, config.count, config.either, config.maybe, config.rates, p, n, q))

    def forward(self, x):
        return x
)");
  model::Program program;
  const auto module =
      model::evaluate({.source = path,
                       .class_name = "Model",
                       .args = arguments("{config: {rate: 0, count: 3, either: 4, maybe: 0, rates: "
                                         "[1, 0.5]}, p: 1, n: 5, q: 2}")},
                      program);
  REQUIRE(module->attributes.size() == 1);
  CHECK(std::get<std::string>(module->attributes[0].second) ==
        "(0.0, 3, 4, 0.0, [1.0, 0.5], 1.0, 5, 2.0)");
}
