#include "runner/engine/model/module/archive.h"

#include <fstream>
#include <sstream>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

#include "runner/engine/device/start.h"
#include "schema/document/error.h"
#include "tests/engine/model/archive_at.h"
#include "tests/folder.h"

namespace knead::engine::model {
namespace {

const std::filesystem::path kArchives = KNEAD_ROOT "/tests/fixtures/archives";

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string load_error(const std::filesystem::path& path) {
  std::string text = message_of([&] { archive_at(path); });
  const std::string folder = kArchives.string() + "/";
  for (std::size_t at; (at = text.find(folder)) != text.npos;) text.erase(at, folder.size());
  return text;
}

TEST_CASE("The tensors of an archive") {
  start_torch({});
  const auto model = archive_at(kArchives / "scripted.pt");
  std::string text;
  for (const auto& [name, tensor] : model->parameters()) {
    text += name + (tensor.requires_grad() ? " " : " (fixed) ");
  }
  CHECK(text == "scale fixed (fixed) inner.linear.weight inner.linear.bias norm.weight norm.bias ");
  text.clear();
  for (const Buffer& buffer : model->buffers()) text += buffer.name + " ";
  CHECK(text == "counts norm.running_mean norm.running_var norm.num_batches_tracked ");
  CHECK(model->buffers().front().persistent);
  REQUIRE(model->aliases().size() == 1);
  CHECK(model->aliases().front().name == "tied.weight");
  CHECK(model->aliases().front().of == "inner.linear.weight");
  REQUIRE(model->inputs().size() == 2);
  CHECK(model->inputs()[0].name == "x");
  CHECK_FALSE(model->inputs()[0].fallback);
  CHECK(model->inputs()[1].name == "extra");
  CHECK(model->inputs()[1].fallback);
  CHECK(model->warnings().empty());
}

TEST_CASE("An archive trains, and what it saves is one again") {
  start_torch({});
  const auto model = archive_at(kArchives / "scripted.pt");
  const at::Tensor x = at::ones({3, 4});
  const auto running_mean = [&] { return model->buffers()[1].tensor.clone(); };
  const at::Tensor before = running_mean();
  model->train(false);
  const at::Tensor first = model->forward({x}).toTensor();
  CHECK(at::equal(before, running_mean()));
  CHECK(at::equal(first, model->forward({x, 5}).toTensor()));
  model->train(true);
  model->forward({x}).toTensor().sum().backward();
  CHECK_FALSE(at::equal(before, running_mean()));
  for (const auto& [name, tensor] : model->parameters()) {
    INFO(name);
    CHECK(tensor.grad().defined() == tensor.requires_grad());
  }
  model->train(false);
  std::stringstream saved;
  model->save(saved);
  const knead::tests::Folder folder;
  const auto path = folder.write("model.pt", saved.str());
  const auto again = archive_at(path);
  again->train(false);
  CHECK(at::equal(again->forward({x}).toTensor(), model->forward({x}).toTensor()));
  CHECK(again->aliases().size() == 1);
}

TEST_CASE("What a traced module has fixed is a warning") {
  start_torch({});
  const auto model = archive_at(kArchives / "traced.pt");
  std::string text;
  for (const std::string& warning : model->warnings())
    text += warning.substr(warning.rfind('/')) + "\n";
  CHECK(text ==
        "/traced.pt: batch_norm does the same in training and in evaluation: the module was "
        "traced; torch.jit.script keeps the difference\n"
        "/traced.pt: dropout does the same in training and in evaluation: the module was traced; "
        "torch.jit.script keeps the difference\n");
}

TEST_CASE("An archive is its bytes: the file may be another one by now, or gone") {
  start_torch({});
  const std::string bytes = tests::text_of(kArchives / "traced.pt");
  const auto model = load_archive(bytes, "gone/model.pt");
  REQUIRE_FALSE(model->warnings().empty());
  CHECK(model->warnings().front().starts_with("gone/model.pt: "));
}

TEST_CASE("What is no archive to be trained is refused in a sentence") {
  CHECK(load_error(kArchives / "weights.pt") ==
        "weights.pt holds weights or a pickled model, not a TorchScript archive");
  CHECK(load_error(KNEAD_ROOT "/README.md").ends_with("README.md is no TorchScript archive"));
  CHECK(load_error(kArchives / "frozen.pt") ==
        "frozen.pt has no parameters to train: it was frozen, or made for inference");
  CHECK(load_error(kArchives / "no_forward.pt") == "no_forward.pt holds a module without forward");
}

TEST_CASE("A broken archive is refused in a sentence") {
  const std::string whole = knead::tests::text_of(kArchives / "scripted.pt");
  const knead::tests::Folder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, whole.size() / 2}) {
    const auto path = folder.write("broken.pt", whole.substr(0, size));
    CHECK(load_error(path) == path.string() + " is no TorchScript archive");
  }
}

TEST_CASE("What forward cannot do is said with the line that the archive names") {
  start_torch({});
  const auto model = archive_at(kArchives / "scripted.pt");
  const auto run = [&](std::vector<c10::IValue> inputs) {
    return message_of([&] { model->forward(std::move(inputs)); });
  };
  CHECK(run({at::ones({2, 5})}) ==
        "record_archives:19:16: inner.linear is Linear(4 → 4) and is given (2, 5): the last size "
        "must be 4");
  CHECK(run({at::ones({2, 4}), 7}) == "record_archives:38:13: extra is too large: 7");
  CHECK(run({at::ones({2, 4}), -1}) == "record_archives:39:9: AssertionError: extra is negative");
  CHECK(run({}) ==
        "forward() is missing value for argument 'x'. Declaration: forward(__torch__.Model self, "
        "Tensor x, int extra=0) -> Tensor");
}

}  // namespace
}  // namespace knead::engine::model
