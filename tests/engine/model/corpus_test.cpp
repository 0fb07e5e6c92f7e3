#include <algorithm>
#include <fstream>
#include <set>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/ones.h>

#include "runner/engine/device/start.h"
#include "runner/engine/model/source/build_source.h"
#include "runner/syntax/refusal.h"
#include "tests/engine/model/archive_at.h"
#include "tests/engine/model/compare_forward.h"
#include "tests/engine/model/recorded_models.h"
#include "tests/engine/model/sources.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::model {
namespace {

using nlohmann::json;

const std::filesystem::path kRoot = KNEAD_ROOT;

// The files of tests/models/corpus whose first line begins so, and the rest of that line.
std::vector<std::pair<std::string, std::string>> files_tagged(const std::string& tag) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "tests/models/corpus")) {
    std::ifstream file(entry.path());
    std::string line;
    std::getline(file, line);
    if (line.starts_with(tag)) found.emplace_back(entry.path().stem(), line.substr(tag.size()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::unique_ptr<Model> build(const std::string& name) {
  Request request;
  request.source = kRoot / "tests/models/corpus" / (name + ".py");
  request.class_name = "Model";
  return compile_source(request);
}

/// Returns the place and the message with which the compiler refuses a file of the corpus.
std::string refusal_of(const std::string& name) {
  try {
    build(name);
    return "nothing was refused";
  } catch (const syntax::Refusal& refusal) {
    const std::string text = refusal.what();
    return text.substr(text.find(".py:") + 4);
  }
}

void check_recorded(const std::filesystem::path& source, const std::string& fixture,
                    Build build = compile_source) {
  const json recorded = read_fixture(kRoot / "tests/fixtures" / (fixture + ".json"));
  try {
    CHECK(forward_difference([&] { return build_recorded(source, recorded, build); }, recorded) ==
          "");
  } catch (const syntax::Refusal& refusal) {
    FAIL(syntax::to_text(refusal));
  }
}

void seed(std::uint64_t number) {
  auto generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(number);
}

TEST_CASE("What works gives what PyTorch gives") {
  start_torch({});
  const auto files = files_tagged("# works");
  CHECK(files.size() >= 80);
  for (const auto& [name, rest] : files) {
    DYNAMIC_SECTION(name) {
      check_recorded(kRoot / "tests/models/corpus" / (name + ".py"), "corpus/" + name);
    }
  }
}

// As `plan` and a profile do.
std::unique_ptr<Model> compile_and_watch(const Request& request) {
  struct Deaf : Watcher {
    void entered(std::size_t) override {}
    void left(std::size_t, const c10::IValue&) override {}
  };
  static Deaf watcher;
  auto model = compile_source(request);
  model->watch(watcher);
  return model;
}

TEST_CASE("What works gives the same when its calls are watched") {
  start_torch({});
  for (const auto& [name, rest] : files_tagged("# works")) {
    DYNAMIC_SECTION(name) {
      check_recorded(kRoot / "tests/models/corpus" / (name + ".py"), "corpus/" + name,
                     compile_and_watch);
    }
  }
}

TEST_CASE("What works gives the same when it is interpreted") {
  start_torch({});
  for (const auto& [name, rest] : files_tagged("# works")) {
    DYNAMIC_SECTION(name) {
      check_recorded(kRoot / "tests/models/corpus" / (name + ".py"), "corpus/" + name,
                     interpret_source);
    }
  }
}

TEST_CASE("What cannot be compiled is interpreted, with the numbers of PyTorch") {
  start_torch({});
  const auto files = files_tagged("# interpreted: ");
  CHECK(files.size() >= 5);
  for (const auto& [name, reason] : files) {
    DYNAMIC_SECTION(name) {
      check_recorded(kRoot / "tests/models/corpus" / (name + ".py"), "corpus/" + name,
                     build_source);
      CHECK(refusal_of(name) == reason);
    }
  }
}

TEST_CASE("Models as people write them give what PyTorch gives") {
  start_torch({});
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "tests/models/real")) {
    const std::string name = entry.path().stem();
    ++count;
    DYNAMIC_SECTION(name) { check_recorded(entry.path(), "real/" + name); }
  }
  CHECK(count >= 10);
}

TEST_CASE("The models that users copy give what PyTorch gives") {
  start_torch({});
  std::set<std::string> covered;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "tests/fixtures/shipped")) {
    const std::string name = entry.path().stem();
    const std::string source = name.substr(0, name.find('_')) + ".py";
    covered.insert(source);
    DYNAMIC_SECTION(name) { check_recorded(kRoot / "models" / source, "shipped/" + name); }
  }
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "models")) {
    INFO(entry.path());
    if (entry.path().extension() == ".py") CHECK(covered.contains(entry.path().filename()));
  }
}

Request mlp() {
  Request request;
  request.source = kRoot / "models/mlp.py";
  request.args = knead::engine::tests::arguments("{inputs: 6, hidden: [5, 4], outputs: 3}");
  return request;
}

TEST_CASE("A wrong shape is said at the user's line, with the layer's after it") {
  start_torch({});
  const auto model = compile_source(mlp());
  std::string text;
  try {
    model->forward({at::ones({2, 5})});
  } catch (const syntax::Refusal& refusal) {
    text = syntax::to_text(refusal);
    text.erase(0, text.find("mlp.py"));
  }
  const std::string expected =
      "mlp.py:18:16: error: layers.0 is Linear(6 → 5) and is given (2, 5): the last size must be 6 "
      "[model-failed]\n"
      "   18 |         return self.layers(x)\n"
      "      |                ^~~~~~~~~~~\n"
      "      = called at nn.Sequential:3:17: input = module(input)\n"
      "      = called at models/layers/nn.py:";
  CHECK(text.substr(0, expected.size()) == expected);
  CHECK(text.ends_with(": return F.linear(input, self.weight, self.bias)\n"));
}

TEST_CASE("What is saved is an archive that gives the same") {
  start_torch({});
  const knead::tests::Folder folder;
  const auto path = folder / "compiled.pt";
  for (const auto& [name, rest] : files_tagged("# works")) {
    INFO(name);
    if (name == "autograd_functions") continue;  // no archive can hold it: the test below
    const json recorded = read_fixture(kRoot / "tests/fixtures/corpus" / (name + ".json"));
    const auto inputs = [&] {
      std::vector<c10::IValue> values;
      for (const json& input : recorded["inputs"]) values.push_back(to_value(input));
      return values;
    };
    seed(1);
    const auto model = build(name);
    model->train(false);
    {
      std::ofstream file(path, std::ios::binary);
      model->save(file);
    }
    const auto loaded = archive_at(path);
    loaded->train(false);
    CHECK(loaded->parameters().size() == model->parameters().size());
    seed(2);
    const c10::IValue output = model->forward(inputs());
    seed(2);
    CHECK(c10::str(loaded->forward(inputs())) == c10::str(output));
  }
}

TEST_CASE("A model with a torch.autograd.Function is not saved as an archive") {
  start_torch({});
  const auto model = build("autograd_functions");
  std::ostringstream archive;
  std::string text;
  try {
    model->save(archive);
  } catch (const knead::Error& error) {
    text = error.what();
  }
  CHECK(text ==
        "a TorchScript archive cannot hold 'Sign': only knead computes the gradient of a "
        "torch.autograd.Function");
  CHECK(archive.str().empty());
}

TEST_CASE("What cannot be said is refused at its place") {
  start_torch({});
  const auto files = files_tagged("# refused: ");
  CHECK(files.size() >= 20);
  for (const auto& [name, message] : files) {
    DYNAMIC_SECTION(name) { CHECK(refusal_of(name) == message); }
  }
}

}  // namespace
}  // namespace knead::engine::model
