// What files that people really have brought to light.

#include <catch2/catch.hpp>

#include "tests/peers/imported.h"

using namespace knead::peers;

TEST_CASE("of two switches for a kind of number the one that is on counts") {
  const std::string recipe =
      imported("bf16: false\nfp16: false\nfloat16: true\ntf32: true\n", "axolotl");
  CHECK(line_of(recipe, "compute:") == "compute: fp16");
  CHECK(recipe.find("# float16: true; weights too, there; here they stay in fp32") != recipe.npos);
  CHECK(line_of(imported("fp16: false\nfloat16: false\ntf32: true\n", "axolotl"), "compute:") ==
        "compute: tf32");
}

TEST_CASE("where nothing is held out nothing is evaluated") {
  for (const char* share : {"", "val_set_size: 0\n", "val_set_size: 0.0\n"}) {
    INFO(share);
    const std::string recipe =
        imported(std::string(share) + "eval_steps: 200\nmicro_batch_size: 1\n", "axolotl");
    CHECK(recipe.find("validation:") == recipe.npos);
    CHECK(recipe.find("# does not count: there is no set that evaluations could look at\n"
                      "#   theirs: eval_steps: 200\n") != recipe.npos);
  }
  const std::string other = imported("test_datasets: [{path: some}]\neval_steps: 200\n", "axolotl");
  CHECK(line_of(other, "every:") == "every: 200 steps");
}

TEST_CASE("what is computed again, and what is profiled") {
  const std::string axolotl = imported(
      "gradient_checkpointing: true\ngradient_checkpointing_kwargs: {use_reentrant: true}\n"
      "profiler_steps: 3\nprofiler_steps_start: 10\n",
      "axolotl");
  CHECK(axolotl.find("# theirs: gradient_checkpointing: true\nactivation_checkpointing:") !=
        axolotl.npos);
  CHECK(line_of(axolotl, "steps:") == "steps: [11, 13]");
  CHECK(axolotl.find("# needs no key: how memory is freed changes no numbers\n"
                     "#   theirs: gradient_checkpointing_kwargs.use_reentrant: true") !=
        axolotl.npos);
  const std::string profiler =
      "profiler: {enabled: true, wait_steps: 5, warmup_steps: 3, active_steps: 2, num_cycles: 1}\n";
  const std::string torchtune =
      imported("enable_activation_checkpointing: False\n" + profiler, "torchtune");
  CHECK(line_of(torchtune, "steps:") == "steps: [9, 10]");
  CHECK(torchtune.find("activation_checkpointing:  ") == torchtune.npos);
  CHECK(imported("profiler: {enabled: false, active_steps: 2}\n", "torchtune").find("profile:") ==
        std::string::npos);
  const std::string fsdp =
      imported("fsdp_config: {fsdp_activation_checkpointing: true}\n", "accelerate");
  CHECK(fsdp.find("\nactivation_checkpointing:  ") != fsdp.npos);
}

TEST_CASE("batch_size and micro_batch_size of old axolotl files") {
  const std::string recipe = imported("batch_size: 32\nmicro_batch_size: 4\n", "axolotl");
  CHECK(line_of(recipe, "size:") == "size: 32");
  CHECK(line_of(recipe, "micro:") == "micro: 4");
  CHECK(recipe.find("# micro_batch_size; at once, as there") != recipe.npos);
}

TEST_CASE("keys that only give others their values are no unknown ones") {
  const std::string recipe = imported(
      "root: /runs\nid: ${oc.env:ID}\noutput_dir: ${root}/it\nepochs: 1\n"
      "checkpointer: {output_dir: '${id}'}\nother: 2\n",
      "torchtune");
  CHECK(recipe.find("# needs no key: what it says stands where the file names it\n"
                    "#   theirs: root: /runs\n#   theirs: id: ") != recipe.npos);
  CHECK(recipe.find("#   theirs: other: 2\n") != recipe.npos);
  CHECK(line_of(recipe, "output:") == "output: /runs");
}

TEST_CASE("a key that is half of another one is guessed") {
  const std::string recipe = imported("lr_scheduler: linear\nlearning_rate: 1\n", "transformers");
  CHECK(recipe.find("  # theirs: lr_scheduler: linear\n  type:  ") != recipe.npos);
  CHECK(recipe.find(
            "; their key for it is\n                                  # lr_scheduler_type\n") !=
        recipe.npos);
  CHECK(imported("do_trian: true\n", "transformers")
            .find("#   theirs: do_trian: true  (did you mean do_train?)\n") != std::string::npos);
}
