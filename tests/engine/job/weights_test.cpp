#include "runner/engine/job/initial_weights.h"

#include <sstream>

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <fmt/format.h>

#include "runner/engine/device/generators.h"
#include "runner/engine/device/start.h"
#include "runner/engine/job/build_model.h"
#include "runner/engine/job/freeze.h"
#include "runner/engine/job/initialise.h"
#include "runner/engine/job/joined_weights.h"
#include "runner/engine/tensor/tensor_bytes.h"
#include "runner/files/file.h"
#include "runner/files/posix_files.h"
#include "runner/files/safetensors.h"
#include "runner/weights/weights.h"
#include "runner/weights/write.h"
#include "schema/load.h"
#include "tests/checkpoint/shards.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead;
using namespace knead::engine;

namespace {

constexpr const char* kSmall = "model.args={inputs: 4, hidden: [3], outputs: 17}";

/// The model of the digits, with other keys.
recipe::Model recipe_of(std::vector<std::string> overrides) {
  start_torch({});
  overrides.insert(overrides.begin(), kSmall);
  const std::string file = KNEAD_ROOT "/recipes/digits.yaml";
  return schema::load(file, overrides, schema::this_world()).recipe.model;
}

struct Begun {
  std::unique_ptr<model::Model> model;
  std::optional<InitialWeights> weights;
};

/// The model as a run begins with it.
Begun begin(const std::vector<std::string>& overrides) {
  const recipe::Model recipe = recipe_of(overrides);
  seed_generator(7);
  Begun begun{build_model(recipe).model, std::nullopt};
  if (recipe.init) initialise(*begun.model, *recipe.init);
  if (recipe.weights) begun.weights = load_weights(*begun.model, *recipe.weights);
  if (recipe.freeze) freeze(*begun.model, *recipe.freeze);
  return begun;
}

/// What is said where it cannot begin.
std::string refusal(const std::vector<std::string>& overrides) {
  try {
    begin(overrides);
  } catch (const Error& error) {
    return error.what() + std::string("\n= ") + error.remedy();
  }
  return "no refusal";
}

const at::Tensor& parameter(const Begun& begun, const std::string& name) {
  for (const NamedTensor& each : begun.model->parameters()) {
    if (each.name == name) return each.tensor;
  }
  throw std::out_of_range(name);
}

files::TensorBytes floats(const std::string& name, const std::vector<std::int64_t>& shape,
                          const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {name, "F32", shape, {bytes.data(), bytes.data() + bytes.size()}};
}

/// A file of the model's weights, where 0.5, 1.5, … stand in for numbers.
std::vector<files::TensorBytes> some_weights() {
  std::vector<files::TensorBytes> tensors;
  const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i) + 0.5F);
    tensors.push_back(floats(name, shape, values));
  };
  add("layers.0.weight", {3, 4});
  add("layers.0.bias", {3});
  add("layers.2.weight", {17, 3});
  add("layers.2.bias", {17});
  return tensors;
}

std::string write(const tests::Folder& folder, const std::vector<files::TensorBytes>& tensors) {
  files::PosixFiles disk;
  const auto path = folder / "w.pt";
  files::publish(disk, path, weights::torch_file(tensors, {}));
  return path;
}

std::string without(std::string text, const std::string& part) {
  for (std::size_t at; (at = text.find(part)) != text.npos;) text.erase(at, part.size());
  return text;
}

}  // namespace

TEST_CASE("parameters begin as torch.nn.init lets them, bit for bit") {
  const std::map<std::string, std::string> kinds{
      {"normal", "{mean: 0.5, std: 0.02}"},
      {"trunc_normal", "{std: 0.5, low: -0.6, high: 0.7}"},
      {"uniform", "{low: -0.1, high: 0.3}"},
      {"xavier_uniform", "{gain: 1.5}"},
      {"xavier_normal", "{}"},
      {"kaiming_uniform", "{a: 0.1, mode: fan_out}"},
      {"kaiming_normal", "relu"},
      {"orthogonal", "{gain: 2}"},
      {"constant", "0.25"}};
  weights::Weights recorded =
      weights::open_weights(KNEAD_ROOT "/tests/fixtures/weights/initialisations.safetensors", {});
  std::map<std::string, at::Tensor> expected;
  for (const weights::StoredTensor& tensor : recorded.tensors())
    expected[tensor.name] = to_tensor(recorded.read(tensor));
  for (const auto& [kind, options] : kinds) {
    INFO(kind);
    const Begun begun = begin({fmt::format(
        "model.init=[{{match: '*.weight', {}: {}}}, {{constant: 0}}]", kind, options)});
    CHECK(at::equal(at::rand({3}), expected.at(kind + "/next")));
    // MKL's factorisation and inverse error function round as each make of processor has it.
    const bool is_rounded = kind == "orthogonal" || kind == "trunc_normal";
    for (const NamedTensor& each : begun.model->parameters()) {
      const at::Tensor& wanted = expected.at(kind + "/" + each.name.substr(7));
      CHECK((is_rounded ? at::allclose(each.tensor, wanted, 1e-5, 1e-6)
                        : at::equal(each.tensor, wanted)));
    }
  }
}

TEST_CASE("an item of init that fits nothing, or cannot fill what it fits, is refused") {
  CHECK(refusal({"model.init=[{match: layer.0.weight, constant: 0}]"}) ==
        "model.init.0 (match 'layer.0.weight') fits no parameter\n= did you mean "
        "'layers.0.weight'?");
  CHECK(refusal({"model.init=[{match: 'layers.*', normal: 1}, {match: '*.bias', constant: 0}]"}) ==
        "model.init.1 (match '*.bias') is left with no parameter: items before it have all that it "
        "fits\n= the first item that fits has a parameter: write the narrower one first");
  CHECK(refusal({"model.init=[{kaiming_normal: relu}]"}) ==
        "model.init.0 (match '*') fits 'layers.0.bias' (3), and needs two dimensions at least\n"
        "= write ndim_at_least: 2");
  CHECK(refusal({"model.init=[{ndim_at_least: 3, constant: 0}]"})
            .starts_with("model.init.0 (match '*', ndim_at_least 3) fits no parameter\n"));
}

TEST_CASE("what is frozen is not trained") {
  const Begun begun = begin({"model.freeze=[layers.0.*]"});
  CHECK(trained_in_words(*begun.model) == "83 in 4 tensors: 68 trained, 15 frozen");
  CHECK(trained_in_words(*begin({}).model) == "83 in 4 tensors");
  CHECK(trained_parameters(*begun.model).front().name == "layers.2.weight");
  CHECK(refusal({"model.freeze=[layers.0]"}) ==
        "model.freeze.0: 'layers.0' fits no parameter\n"
        "= write 'layers.0.*' for all that is below it");
  CHECK(refusal({"model.freeze=['*.bias', '*.wieght']"}) ==
        "model.freeze.1: '*.wieght' fits no parameter\n"
        "= did you mean 'layers.0.weight', 'layers.2.weight'?");
  CHECK(refusal({"model.freeze=['*']"}) ==
        "model.freeze leaves no parameter to train\n= leave some out of its patterns");
}

TEST_CASE("weights are loaded over what was drawn") {
  const tests::Folder folder;
  const std::string path = write(folder, some_weights());
  const Begun begun = begin({"model.weights=" + path, "model.init=[{constant: 9}]"});
  CHECK(begun.weights->words == path + ": 4 tensors");
  CHECK(begun.weights->warnings.empty());
  CHECK(parameter(begun, "layers.2.bias")[16].item<float>() == 16.5F);
  CHECK(parameter(begun, "layers.0.weight").requires_grad());
  CHECK(identity_of(*recipe_of({"model.weights=" + path}).weights) == begun.weights->identity);
  CHECK_FALSE(identity_of(*recipe_of({"model.weights=" + path + ".gone"}).weights));
}

TEST_CASE("half as wide numbers are converted") {
  const tests::Folder folder;
  auto tensors = some_weights();
  tensors[1] = {"layers.0.bias", "BF16", {3}, files::OwnBytes(6, std::byte{})};
  tensors[1].bytes[1] = tensors[1].bytes[3] = std::byte{0x40};  // 2, 2, 0
  const Begun begun = begin({"model.weights=" + write(folder, tensors)});
  CHECK(begun.weights->words.ends_with(": 4 tensors, 1 of them converted to the model's type"));
  CHECK(parameter(begun, "layers.0.bias")[1].item<float>() == 2);
  CHECK(parameter(begun, "layers.0.bias").dtype() == at::kFloat);
}

TEST_CASE("what does not fit is refused, all of it at once") {
  const tests::Folder folder;
  auto tensors = some_weights();
  tensors[0].name = "layers.0.wieght";
  tensors[3] = floats("layers.2.bias", {2}, {1, 2});
  const std::string path = write(folder, tensors);
  CHECK(
      without(refusal({"model.weights=" + path}), folder.path().string() + "/") ==
      "the weights of w.pt do not fit the model: 1 is missing, 1 is not expected, 1 is of another "
      "shape or type\n"
      "  missing       layers.0.weight (3, 4): the file has 'layers.0.wieght'\n"
      "  not expected  layers.0.wieght (3, 4)\n"
      "  unlike        layers.2.bias (17) in the model, (2) in the file\n"
      "= strict: false takes what fits and leaves the rest");
  const Begun begun = begin({fmt::format("model.weights={{from: {}, strict: false}}", path)});
  CHECK(begun.weights->words == path + ": 2 of 4 tensors");
  REQUIRE(begun.weights->warnings.size() == 1);
  CHECK(begun.weights->warnings[0].starts_with("not all of " + path + " was loaded: 1 is missing"));
  CHECK(parameter(begun, "layers.2.weight")[0][0].item<float>() == 0.5F);
}

TEST_CASE("names with a prefix are renamed, and the rename is proposed") {
  const tests::Folder folder;
  auto tensors = some_weights();
  for (auto& tensor : tensors) tensor.name = "module." + tensor.name;
  const std::string path = write(folder, tensors);
  CHECK(refusal({"model.weights=" + path})
            .ends_with("\n= names in the file begin with 'module.': write rename: [{match: "
                       "'^module\\.', with: ''}]"));
  const Begun begun = begin({fmt::format(
      "model.weights={{from: {}, rename: [{{match: '^module\\.', with: ''}}]}}", path)});
  CHECK(begun.weights->words == path + ": 4 tensors");
  CHECK(refusal({fmt::format("model.weights={{from: {}, strict: false}}", path)})
            .find("4 are missing, 4 are not expected") != std::string::npos);
}

TEST_CASE("averages that ranks have saved in pieces are read as one file") {
  const tests::Folder folder;
  std::filesystem::create_directories(folder.path());
  checkpoint::Snapshot snapshot;
  checkpoint::Part average{"average.safetensors", {}, {}};
  start_torch({});
  for (const auto& [name, shape] : {std::pair{"a", std::vector<std::int64_t>{5, 3}}, {"b", {4}}})
    average.tensors.push_back(copy_bytes({name, at::rand(shape)}, "", nullptr));
  snapshot.parts.push_back(average);
  files::PosixFiles disk;
  for (const int ranks : {1, 2, 4}) {
    std::vector<std::filesystem::path> files;
    for (const checkpoint::RankParts& rank : tests::cut_for_ranks(snapshot, ranks, true)) {
      for (const checkpoint::Part& part : rank.parts) {
        files.push_back(folder / part.file);
        files::publish(disk, files.back(), files::safetensors(part.tensors, part.metadata));
      }
    }
    weights::Weights joined = open_joined(files);
    REQUIRE(joined.tensors().size() == 2);
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(joined.read(joined.tensors()[i]) == average.tensors[i]);
    // Laid over whole tensors of other files, as over the raw weights of a checkpoint.
    files::publish(disk, folder / "raw.safetensors",
                   files::safetensors({copy_bytes({"b", at::rand({4})}, "", nullptr)}, {}));
    weights::Weights raw = weights::open_weights(folder / "raw.safetensors", std::nullopt);
    raw.lay_over(open_joined(files));
    CHECK(raw.read(raw.tensors()[0]) == average.tensors[1]);
  }
}
