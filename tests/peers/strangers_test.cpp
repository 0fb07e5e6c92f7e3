#include "runner/peers/strangers.h"

#include <fstream>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/peers/imported.h"

using namespace knead;
using namespace knead::peers;

namespace {

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What is said of a file that is not read.
std::string refused(const std::string& text, const std::string& name = "config.yaml") {
  try {
    import_file(source_of(text, name), "", 0);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a file shows every kind that has a name") {
  std::string said;
  for (const auto& entry : std::filesystem::directory_iterator(kFiles / "others"))
    said += refused(text_of_file(entry.path()), entry.path().filename()) + "\n";
  for (const Stranger& stranger : strangers()) {
    const std::string name = std::string(stranger.kind) + std::string(stranger.name) + " ('";
    INFO(name);
    CHECK(said.find(name) != said.npos);
  }
}

TEST_CASE("no file of another trainer is read as one of theirs") {
  for (const auto& entry : std::filesystem::directory_iterator(kFiles / "others")) {
    INFO(entry.path());
    CHECK_FALSE(refused(text_of_file(entry.path()), entry.path().filename()).empty());
  }
}

TEST_CASE("the keys of another trainer go before those that it has in common") {
  const std::string keys =
      "per_device_train_batch_size: 8\nnum_train_epochs: 3\nlearning_rate: 1e-4\n";
  CHECK(refused(keys).empty());
  CHECK(refused(keys + "exp_manager: {exp_dir: runs}\n") ==
        "config.yaml is a configuration of NeMo ('exp_manager' in line 4), which knead does not "
        "read");
  CHECK(refused("base_model: small\nmicro_batch_size: 2\nsequence_len: 64\n").empty());
  CHECK(
      refused("base_model: small\ninput_features: []\noutput_features: []\ntrainer: {epochs: 3}\n")
          .starts_with("config.yaml is a configuration of Ludwig ('input_features' in line 2)"));
}

TEST_CASE("a file that mostly has keys of nobody is not theirs") {
  const std::string few = "per_device_train_batch_size: 8\nnum_train_epochs: 3\n";
  CHECK(refused(few).empty());
  CHECK(refused(few + "a1: 1\na2: 2\n").empty());
  CHECK(
      refused(few + "a1: 1\na2: 2\na3: 3\n") ==
      "config.yaml is not recognised: Hugging Face's TrainingArguments, the nearest, has 2 of its "
      "5 keys, but not 'a1' (line 3)");
}

TEST_CASE("what the reader is told to read it reads") {
  const std::string text = "input_features: [a]\noutput_features: [b]\nlearning_rate: 1e-3\n";
  CHECK_FALSE(refused(text).empty());
  CHECK(line_of(imported(text, "transformers"), "lr:") == "lr: 1e-3");
}
