// Keys that knead does not know, and that seem to say what it would fill in.

#include <set>

#include <catch2/catch.hpp>

#include "runner/peers/aspects.h"
#include "runner/peers/words.h"
#include "schema/document/suggest.h"
#include "tests/peers/imported.h"

using namespace knead;
using namespace knead::peers;

namespace {

constexpr const char* kTrainer = "output_dir: out\nmodel_name_or_path: small\n";

/// A file for the Trainer with another key.
std::string with(const std::string& key) { return imported(kTrainer + key, "transformers"); }

bool has(const std::string& recipe, const std::string& text) {
  return recipe.find(text) != recipe.npos;
}

}  // namespace

TEST_CASE("what is usual there is not written where an unknown key says it") {
  const std::pair<const char*, const char*> lines[] = {{"epochs: 10", "  until:"},
                                                       {"train_steps: 900", "  until:"},
                                                       {"batch_size: 128", "  size:"},
                                                       {"accumulation_steps: 8", "  size:"},
                                                       {"lr: 0.001", "  lr:"},
                                                       {"optimizer: sgd", "optimizer:"},
                                                       {"wd: 0.1", "  weight_decay:"},
                                                       {"betas: [0.8, 0.9]", "  betas:"},
                                                       {"grad_clip: 0.5", "  norm:"},
                                                       {"scheduler: cosine", "schedule:"},
                                                       {"warmup_epochs: 2", "  warmup:"},
                                                       {"random_seed: 7", "seed:"},
                                                       {"save_every: 100", "  every:"},
                                                       {"log_interval: 5", "  every:"},
                                                       {"mixed_precision: bf16", "  compute:"}};
  for (const auto& [key, line] : lines) {
    INFO(key);
    const std::string recipe = with(std::string(key) + "\n");
    const std::size_t at = recipe.find("# theirs: " + std::string(key) + "\n");
    REQUIRE(at != recipe.npos);
    const std::size_t next = recipe.find('\n', at) + 1;
    CHECK(recipe.substr(next, recipe.find('\n', next) - next).find("# FILL IN: ") !=
          std::string::npos);
    CHECK_FALSE(has(recipe, "# unknown"));
  }
}

TEST_CASE("a known key says more than an unknown one") {
  const std::string recipe = with("num_train_epochs: 4\nepochs: 10\n");
  CHECK(line_of(recipe, "until:") == "until: 4 epochs");
  CHECK(has(recipe, "#   theirs: epochs: 10\n"));
}

TEST_CASE("blocks and lists that are not known are looked into") {
  const std::string block = with("training: {epochs: 10, name: first}\nother: {a: 1}\n");
  CHECK(has(block, "  # theirs: training.epochs: 10\n  until:  "));
  CHECK(has(block, "#   theirs: training.name: first\n#   theirs: other: {a: 1}\n"));
  const std::string list = with("parameters: [{lr: 0.1}, {lr: 0.01}]\n");
  CHECK(has(list, "  # theirs: parameters: [{lr: 0.1}, {lr: 0.01}]\n  lr:  "));
  const std::string kind = with("optimizer: {type: sgd}\n");
  CHECK(has(kind, "  # theirs: optimizer.type: sgd\n  type:  "));
}

TEST_CASE("a slip in a name is no reason for what is usual") {
  const std::string recipe = with("lerning_rate: 0.001\n");
  CHECK(has(recipe, "  # theirs: lerning_rate: 0.001\n  lr:  "));
}

TEST_CASE("what is off or empty says nothing, unless it is on there") {
  CHECK(line_of(with("epochs:\n"), "until:") == "until: 3 epochs");
  CHECK_FALSE(has(with("amp: false\n"), "compute:"));
  CHECK(has(with("grad_clip: 0\n"), "  # theirs: grad_clip: 0\n  norm:  "));
}

TEST_CASE("what follows from a length that is not known is not written") {
  const std::string recipe = with("epochs: 10\nsave_steps: 0.1\n");
  CHECK(line_of(recipe, "every:") != "every: 0.3 epochs");
}

TEST_CASE("the names of an aspect are written as they are compared, each once") {
  std::set<std::string_view> seen;
  for (const Aspect& aspect : aspects()) {
    for (const std::string_view name : words_of(aspect.names)) {
      INFO(name);
      CHECK(schema::folded(name) == name);
      CHECK(seen.insert(name).second);
    }
  }
}
