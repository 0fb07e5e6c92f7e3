#include "runner/engine/model/evaluate.h"

#include <cstdio>
#include <fstream>

#include <ATen/Context.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/engine/model/module.h"
#include "runner/engine/model/tensors.h"
#include "runner/engine/model/values.h"
#include "runner/files/read.h"
#include "runner/syntax/refusal.h"
#include "schema/parse.h"
#include "tests/engine/sources.h"
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

json described(const std::string& name, const at::Tensor& tensor, const std::string& kind) {
  return {{"name", name},
          {"kind", kind},
          {"shape", tensor.sizes().vec()},
          {"dtype", model::dtype_name(tensor.scalar_type())},
          {"requires_grad", tensor.requires_grad()},
          {"digest", digest(tensor)}};
}

/// Every tensor of a module as the fixtures list them.
json tensors(const std::shared_ptr<model::Object>& module) {
  json found = json::array();
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

const std::string kShowsResult =
    "\nfrom torch import nn\n\n\nclass Model(nn.Module):\n    def __init__(self):\n"
    "        super().__init__()\n        self.result = repr(result)\n";

}  // namespace

TEST_CASE("keys, shapes and initial weights are PyTorch's, bit for bit") {
  const json recorded = fixture("initial.json");
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
      CHECK(tensors(module) == one["tensors"]);
    } catch (const knead::syntax::Refusal& refusal) {
      FAIL_CHECK(knead::syntax::to_text(refusal));
    }
  }
}

TEST_CASE("snippets give what Python gives, or its words") {
  const Folder folder;
  for (const json& one : fixture("language.json")) {
    const auto snippet = one["snippet"].get<std::string>();
    const auto path = folder.write("snippet.py", snippet + kShowsResult);
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
