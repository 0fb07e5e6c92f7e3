#include "runner/peers/peer.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "runner/peers/import.h"
#include "runner/peers/references.h"
#include "runner/peers/theirs.h"
#include "runner/peers/words.h"
#include "schema/document/parse.h"
#include "schema/table/catalog.h"
#include "schema/validate/unknown_key.h"
#include "tests/peers/imported.h"

using namespace knead;
using namespace knead::peers;

namespace {

std::shared_ptr<const schema::Source> source_of_file(const std::string& name) {
  std::ifstream file(kFiles / name, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  REQUIRE_FALSE(text.str().empty());
  return source_of(text.str(), name);
}

schema::Node tree_of(const std::string& text) {
  schema::Problems problems;
  auto root = schema::parse_yaml(source_of(text), problems);
  REQUIRE(problems.empty());
  REQUIRE(root);
  return *root;
}

/// The comments of a recipe, without those of its head and the reasons above keys.
std::string comments_of(const std::string& recipe) {
  std::istringstream lines(recipe.substr(recipe.find("\n\n")));
  std::string out = "\n";
  for (std::string line; std::getline(lines, line);) {
    const std::size_t hash = line.find('#');
    const bool is_reason = line.starts_with("# n") || line.starts_with("# does not count");
    if (hash != line.npos && !is_reason) out += line.substr(hash + 1) + "\n";
  }
  return out;
}

/// How often a key is named in comments: before its value, alone on a line, or in a list.
int times_named(const std::string& comments, const std::string& key) {
  int times = 0;
  for (std::size_t at = comments.find(key); at != comments.npos; at = comments.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    if (at < 2 || comments[at - 1] != ' ' || end >= comments.size()) continue;
    const bool begins = std::string(" ,:\n").find(comments[at - 2]) != std::string::npos;
    const bool has_value = comments[end] == ':';
    const bool is_alone = begins && std::string(";,\n").find(comments[end]) != std::string::npos;
    times += has_value || is_alone ? 1 : 0;
  }
  return times;
}

}  // namespace

TEST_CASE("the tables name each key once, and every habit is one of them") {
  for (const Peer* peer : knead::peers::peers()) {
    std::set<std::string> names;
    const auto add = [&](std::string_view name) {
      INFO(peer->name << " " << name);
      CHECK(names.insert(std::string(name)).second);
    };
    for (const Counterpart& row : peer->counterparts) add(row.theirs);
    for (const Without& row : peer->without) {
      std::istringstream words{std::string(row.theirs)};
      for (std::string word; words >> word;) add(word.substr(0, word.find('=')));
    }
    for (const Habit& habit : peer->habits) {
      INFO(peer->name << " " << habit.theirs);
      CHECK(part_of(*peer, habit.theirs));
    }
  }
}

TEST_CASE("every key of theirs is named in the recipe, once") {
  const auto file =
      GENERATE(as<std::string>{}, "default_config.yaml", "deepspeed.yaml", "machines.yaml",
               "training_args.json", "seq2seq.json", "lora.yml", "preferences.yaml", "tune.yaml",
               "hybrid.yaml", "zero2.json", "zero3.json");
  const std::string recipe = import_file(source_of_file(file), "", 0);
  const std::string comments = comments_of(recipe);
  std::string text = source_of_file(file)->text();
  std::replace(text.begin(), text.end(), '\t', ' ');
  schema::Node root = tree_of(text);
  for (const Peer* peer : knead::peers::peers()) {
    if (recipe.find("(" + std::string(peer->title) + ")") == recipe.npos) continue;
    const Theirs theirs(*peer, root);
    std::size_t keys = 0;
    for (const Item& item : theirs.items()) {
      if (item.is_habit) continue;
      ++keys;
      INFO(file << ": " << item.path << "\n" << recipe);
      CHECK(times_named(comments, item.path) == 1);
    }
    CHECK(recipe.find(" Of " + std::to_string(keys) + " keys:") != recipe.npos);
  }
}

TEST_CASE("a step is an optimizer step: what one process takes at once is batch.micro") {
  const std::string hf = "per_device_train_batch_size: 4\ngradient_accumulation_steps: 8\n";
  CHECK(line_of(imported(hf, "transformers"), "size:") == "size: 32");
  CHECK(line_of(imported(hf, "transformers", 16), "size:") == "size: 512");
  CHECK(line_of(imported(hf, "transformers", 16), "micro:") == "micro: 4");
  CHECK(line_of(imported("batch_size: 16\nmicro_batch_size: 2\n", "axolotl"), "size:") ==
        "size: 16");
  CHECK(line_of(imported("batch_size: 16\nmicro_batch_size: 2\n", "axolotl"), "micro:") ==
        "micro: 2");
  CHECK(line_of(imported("micro_batch_size: 2\nworld_size: 4\n", "axolotl"), "size:") == "size: 8");
  CHECK(line_of(imported("per_device_train_batch_size: auto\n", "transformers"), "size:") ==
        "size:");
}

TEST_CASE("quantities have their units") {
  const auto hf = [](const std::string& text, const std::string& line) {
    return line_of(imported(text, "transformers"), line);
  };
  CHECK(hf("max_steps: -1", "until:") == "until: 3 epochs");
  CHECK(hf("num_train_epochs: 0.5", "until:") == "until: 0.5 epochs");
  CHECK(hf("num_train_epochs: 5\nmax_steps: 300", "until:") == "until: 300 steps");
  CHECK(hf("warmup_ratio: 0.1", "warmup:") == "warmup: 10%");
  CHECK(hf("warmup_steps: 50\nwarmup_ratio: 0.1", "warmup:") == "warmup: 50 steps");
  CHECK(hf("warmup_steps: 0.03", "warmup:") == "warmup: 3%");
  CHECK(hf("lr_scheduler_type: constant\nwarmup_steps: 50", "warmup:").empty());
  CHECK(hf("save_steps: 0.1\nnum_train_epochs: 5", "every:") == "every: 0.5 epochs");
  CHECK(hf("save_steps: 0.1\nmax_steps: 500", "every:") == "every: 50 steps");
  CHECK(hf("save_strategy: epoch", "every:") == "every: 1 epoch");
  const std::string tune = imported("epochs: 2\nmax_steps_per_epoch: 50\n", "torchtune");
  CHECK(line_of(tune, "until:") == "until: 100 steps");
  const std::string axolotl = imported("evals_per_epoch: 4\nval_set_size: 0.05\n", "axolotl");
  CHECK(line_of(axolotl, "every:") == "every: 0.25 epochs");
  CHECK(line_of(axolotl, "validation:") == "validation: {like: train, hold_out: 5%}");
  CHECK(line_of(imported("val_set_size: 200\n", "axolotl"), "validation:") ==
        "validation: {like: train, hold_out: 200 samples}");
}

TEST_CASE("what they do where nothing is written is written") {
  const std::string hf = imported("output_dir: out\n", "transformers");
  CHECK(line_of(hf, "lr:") == "lr: 5e-5");
  CHECK(line_of(hf, "weight_decay:") == "weight_decay: 0.0");
  CHECK(line_of(hf, "norm:") == "norm: 1.0");
  CHECK(line_of(hf, "seed:") == "seed: 42");
  CHECK(line_of(hf, "size:") == "size: 8");
  CHECK(hf.find("\nschedule:\n  type: linear ") != hf.npos);
  CHECK(hf.find("groups:") == hf.npos);
  CHECK(line_of(imported("weight_decay: 0.1\n", "transformers"), "groups:") ==
        "groups: [{ndim_below: 2, weight_decay: 0}]");
  const std::string axolotl = imported("base_model: small\n", "axolotl");
  CHECK(line_of(axolotl, "last:") == "last: 4");
  CHECK(line_of(axolotl, "warmup:") == "warmup: 3%");
  CHECK(line_of(imported("optimizer: {_component_: torch.optim.SGD}\n", "torchtune"),
                "drop_last:") == "drop_last: true");
}

TEST_CASE("optimizers and schedules under their many names") {
  const auto optimizer = [](const std::string& name) {
    const std::string recipe = imported("optim: " + name + "\n", "transformers");
    return recipe.substr(
        recipe.find("\noptimizer:\n") + 12,
        recipe.find("#", recipe.find("\noptimizer:\n")) - recipe.find("\noptimizer:\n") - 12);
  };
  for (const char* name : {"adamw_torch", "adamw_hf", "paged_adamw_8bit", "adamw_apex_fused"}) {
    INFO(name);
    CHECK(optimizer(name).starts_with("  type: adamw "));
  }
  CHECK(optimizer("lion_32bit").starts_with("  type: lion "));
  CHECK(optimizer("rmsprop").starts_with("  type: rmsprop "));
  CHECK(optimizer("galore_adamw").starts_with("  # theirs") == false);
  CHECK(imported("optim: galore_adamw\n", "transformers")
            .find("  # theirs: optim: galore_adamw\n  type:  ") != std::string::npos);
  CHECK(line_of(imported("optim: lion_32bit\n", "transformers"), "betas:") ==
        "betas: [0.9, 0.999]");
  const std::string wsd = imported(
      "lr_scheduler_type: warmup_stable_decay\nlr_scheduler_kwargs: {num_decay_steps: 100, "
      "min_lr_ratio: 0.1}\n",
      "transformers");
  CHECK(wsd.find("  type: wsd ") != wsd.npos);
  CHECK(line_of(wsd, "decay:") == "decay: 100 steps");
  CHECK(line_of(wsd, "shape:") == "shape: cosine");
  CHECK(line_of(wsd, "min_factor:") == "min_factor: 0.1");
  const std::string restarts =
      imported("lr_scheduler_type: cosine_with_restarts\nlr_scheduler_kwargs: {num_cycles: 4}\n",
               "transformers");
  CHECK(restarts.find("\nschedule:") == restarts.npos);
  CHECK(restarts.find("# no counterpart: knead has no such schedule") != restarts.npos);
  const std::string plateau = imported(
      "lr_scheduler_type: reduce_lr_on_plateau\nlr_scheduler_kwargs: {patience: 2, factor: 0.5}\n",
      "transformers");
  CHECK(line_of(plateau, "patience:") == "patience: 3 evaluations");
  CHECK(line_of(plateau, "gamma:") == "gamma: 0.5");
  const std::string constant = imported(
      "num_epochs: 4\nlr_scheduler: cosine\ncosine_min_lr_ratio: 0.1\ncosine_constant_lr_ratio: "
      "0.5\n",
      "axolotl");
  CHECK(line_of(constant, "over:") == "over: 2 epochs");
}

TEST_CASE("whose file it is follows from its keys") {
  const std::map<std::string, std::string> files{
      {"default_config.yaml", "(Accelerate)"},
      {"training_args.json", "(Hugging Face's TrainingArguments)"},
      {"lora.yml", "(axolotl)"},
      {"tune.yaml", "(torchtune)"},
      {"zero2.json", "(DeepSpeed)"},
      {"zero3.json", "(DeepSpeed)"}};
  for (const auto& [file, title] : files) {
    INFO(file);
    CHECK(import_file(source_of_file(file), "", 0).find(title) != std::string::npos);
  }
}

TEST_CASE("references of OmegaConf are what they name") {
  schema::Node root = tree_of(
      "a: 3\nb: ${a}\nc: x${b}y\nd: {e: '${c}'}\nf: ${d}\ng: ${nothing}\nh: ${h}\ni: '${j}'\nj: "
      "'${i}'\nk: ${d.e}");
  resolve_references(root);
  CHECK(root.at("b").integer == 3);
  CHECK(root.at("c").text == "x3y");
  CHECK(root.at("d").at("e").text == "x3y");
  CHECK(root.at("f").text == "${d}");
  CHECK(root.at("g").text == "${nothing}");
  CHECK(root.at("h").text == "${h}");
  CHECK(root.at("k").text == "x3y");
}

TEST_CASE("secrets are not written down") {
  const std::string recipe =
      imported("hub_token: abcdef\nlearning_rate: 1e-3\nhub_model_id: me/it\n", "transformers");
  CHECK(recipe.find("abcdef") == recipe.npos);
  CHECK(recipe.find("hub_token: (not shown)") != recipe.npos);
  CHECK(recipe.find("hub_model_id: me/it") != recipe.npos);

  const std::string nested = imported(
      "learning_rate: 1e-3\ndata_files: [{path: x, token: abcdef}]\nhf_token: abcdef\n"
      "wandb_key: abcdef\ndb_password: 123456\n",
      "transformers");
  CHECK(nested.find("abcdef") == nested.npos);
  CHECK(nested.find("123456") == nested.npos);
}

TEST_CASE("lint knows every key of theirs that has a counterpart") {
  // Names of things that a recipe says in its own way; lint says where.
  const std::set<Part> told{Part::tokenizer,       Part::dataset,       Part::validation_dataset,
                            Part::model,           Part::other_aim,     Part::optimizer_option,
                            Part::processes,       Part::run_name,      Part::cycles,
                            Part::profile_enabled, Part::profile_after, Part::profile_steps};
  const std::vector<schema::Listed> all = schema::every_key(schema::recipe_type());
  for (const Peer* peer : knead::peers::peers()) {
    for (const Counterpart& row : peer->counterparts) {
      if (told.contains(row.part)) continue;
      const std::string name(row.theirs.substr(row.theirs.rfind('.') + 1));
      const bool is_ours = std::any_of(all.begin(), all.end(), [&](const schema::Listed& listed) {
        return listed.key->name == name;
      });
      // `enabled` says nothing without the name of its block.
      const bool is_bare = name == "_component_" || name == "enabled";
      const schema::BlockContext top{schema::recipe_type(), "", "", {}};
      INFO(peer->name << " " << row.theirs);
      CHECK((is_ours || is_bare || !schema::guess_key(name, top, all, {}).hint.empty()));
    }
  }
}
