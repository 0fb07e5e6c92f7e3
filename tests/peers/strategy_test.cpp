// Tests the strategies that FSDP, DeepSpeed and their like become.

#include <regex>

#include <catch2/catch.hpp>

#include "tests/peers/imported.h"

using namespace knead;
using namespace knead::peers;

namespace {

std::string accelerate(const std::string& more) {
  return imported("compute_environment: LOCAL_MACHINE\nnum_processes: 8\n" + more, "accelerate");
}

std::string strategy_of(const std::string& recipe) { return line_of(recipe, "strategy:"); }

/// Accelerate's configuration with these keys of FSDP.
std::string fsdp(const std::string& keys) {
  return accelerate("distributed_type: FSDP\nfsdp_config: {" + keys + "}\n");
}

std::string deepspeed(const std::string& keys) {
  return imported("{\"zero_optimization\": {\"stage\": 1}, " + keys + "}", "deepspeed");
}

/// Returns whether a recipe has these words, also in a comment that goes on in the next line.
bool says(const std::string& recipe, const std::string& words) {
  static const std::regex next_line("\n +# ");
  return std::regex_replace(recipe, next_line, " ").find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("FSDP's strategies have names, numbers and two versions") {
  const std::vector<std::pair<std::string, std::string>> strategies{
      {"fsdp_sharding_strategy: FULL_SHARD", "strategy: zero3"},
      {"fsdp_sharding_strategy: 1", "strategy: zero3"},
      {"sharding_strategy: 2", "strategy: zero2"},
      {"fsdp_sharding_strategy: SHARD_GRAD_OP", "strategy: zero2"},
      {"fsdp_sharding_strategy: HYBRID_SHARD", "strategy: zero3"},
      {"fsdp_sharding_strategy: HYBRID_SHARD_ZERO2", "strategy: zero2"},
      {"fsdp_sharding_strategy: NO_SHARD", ""},
      {"fsdp_version: 2, fsdp_reshard_after_forward: true", "strategy: zero3"},
      {"fsdp_version: 2, fsdp_reshard_after_forward: false", "strategy: zero2"},
      {"fsdp_version: 1, fsdp_reshard_after_forward: SHARD_GRAD_OP", "strategy: zero2"},
      {"fsdp_version: 2", "strategy: zero3"}};
  for (const auto& [keys, line] : strategies) {
    INFO(keys);
    CHECK(strategy_of(fsdp(keys)) == line);
  }
  CHECK(says(fsdp("fsdp_sharding_strategy: NO_SHARD"),
             "# needs no key: without a strategy each rank holds the whole model\n"
             "#   theirs: distributed_type: FSDP\n"
             "#   theirs: fsdp_config.fsdp_sharding_strategy: NO_SHARD\n"));
}

TEST_CASE("machines that each have a whole model are replicas") {
  const std::string hybrid = "fsdp_sharding_strategy: HYBRID_SHARD";
  CHECK(line_of(fsdp(hybrid), "replicas:").empty());
  CHECK(says(fsdp(hybrid), "with 'replicas' of as many as there were machines"));
  const std::string two =
      accelerate("distributed_type: FSDP\nnum_machines: 2\nfsdp_config: {" + hybrid + "}\n");
  CHECK(line_of(two, "replicas:") == "replicas: 2");
  CHECK(line_of(two, "ranks:") == "ranks: 4");
  const std::string mesh = accelerate(
      "distributed_type: FSDP\nparallelism_config: {parallelism_config_dp_replicate_size: 4, "
      "parallelism_config_dp_shard_size: 2, parallelism_config_tp_size: 2}\n");
  CHECK(line_of(mesh, "replicas:") == "replicas: 4");
  CHECK(strategy_of(mesh) == "strategy: zero3");
  CHECK(says(mesh,
             "# no counterpart: no layer is cut over ranks: distributed.strategy cuts what each "
             "rank holds\n#   theirs: parallelism_config.parallelism_config_tp_size: 2\n"));
}

TEST_CASE("Accelerate's stages of ZeRO count if it starts DeepSpeed") {
  const auto strategy_at = [](const std::string& stage) {
    return strategy_of(
        accelerate("distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: " + stage + "}\n"));
  };
  CHECK(strategy_at("1") == "strategy: zero1");
  CHECK(strategy_at("2") == "strategy: zero2");
  CHECK(strategy_at("3") == "strategy: zero3");
  CHECK(strategy_at("0").empty());
  CHECK(strategy_at("7") == "strategy:");
  const std::string other =
      accelerate("distributed_type: MULTI_GPU\ndeepspeed_config: {zero_stage: 2}\n");
  CHECK(strategy_of(other).empty());
  CHECK(says(other,
             "# does not count: distributed_type is multi_gpu\n"
             "#   theirs: deepspeed_config.zero_stage: 2\n"));
}

TEST_CASE("what Megatron cuts is said") {
  const std::string recipe = accelerate(
      "distributed_type: MEGATRON_LM\nmegatron_lm_config: {megatron_lm_tp_degree: 2, "
      "megatron_lm_pp_degree: 2, megatron_lm_gradient_clipping: 1.0, "
      "megatron_lm_use_distributed_optimizer: true}\n");
  CHECK(line_of(recipe, "norm:") == "norm: 1.0");
  CHECK(says(recipe,
             "# no counterpart: no layer is cut over ranks: distributed.strategy cuts what "
             "each rank holds\n#   theirs: distributed_type: MEGATRON_LM\n"
             "#   theirs: megatron_lm_config.megatron_lm_tp_degree: 2\n"
             "#   theirs: megatron_lm_config.megatron_lm_pp_degree: 2\n"));
  CHECK(says(recipe,
             "# no counterpart: distributed.strategy: zero1 cuts the optimizer's state "
             "too, without cutting layers\n"));
}

TEST_CASE("the Trainer's fsdp is words in a text, in a list, or true") {
  const auto of = [](const std::string& fsdp, const std::string& from = "transformers") {
    return imported("base_model: a\nnum_train_epochs: 1\nfsdp: " + fsdp + "\n", from);
  };
  CHECK(strategy_of(of("full_shard auto_wrap")) == "strategy: zero3");
  CHECK(strategy_of(of("[shard_grad_op, auto_wrap]")) == "strategy: zero2");
  CHECK(strategy_of(of("true")) == "strategy: zero3");
  CHECK(strategy_of(of("''")).empty());
  CHECK(strategy_of(of("[]")).empty());
  CHECK(strategy_of(of("no_shard")).empty());
  CHECK(strategy_of(of("\n  - full_shard\n  - auto_wrap", "axolotl")) == "strategy: zero3");
  CHECK(says(of("full_shard offload"), "offload: parameters"));
  CHECK(
      says(imported("num_train_epochs: 1\nfsdp: full_shard\n"
                    "fsdp_config: {min_num_params: 2000, xla: true}\n",
                    "transformers"),
           "# no counterpart: knead trains on CPUs and CUDA\n#   theirs: fsdp_config.xla: true\n"));
}

TEST_CASE("torchtune keeps parameters after forward, or not") {
  const auto of = [](const std::string& keys) {
    return strategy_of(imported("model: {_component_: torchtune.models.a}\n" + keys, "torchtune"));
  };
  CHECK(of("fsdp_reshard_after_forward: true\n") == "strategy: zero3");
  CHECK(of("fsdp_reshard_after_forward: false\n") == "strategy: zero2");
  CHECK(of("data_parallel_shard_dim: 4\n") == "strategy: zero3");
  CHECK(of("data_parallel_shard_dim: 1\n").empty());
  CHECK(of("").empty());
}

TEST_CASE("DeepSpeed's batch is that of all processes, and tells how many there were") {
  const std::string batch =
      "\"train_batch_size\": 96, \"train_micro_batch_size_per_gpu\": 4, "
      "\"gradient_accumulation_steps\": 3";
  CHECK(line_of(deepspeed(batch), "size:") == "size: 96");
  CHECK(line_of(deepspeed(batch), "micro:") == "micro: 4");
  CHECK(line_of(deepspeed(batch), "ranks:") == "ranks: 8");
  const std::string unequal =
      "\"train_batch_size\": 100, \"train_micro_batch_size_per_gpu\": 3, "
      "\"gradient_accumulation_steps\": 7";
  CHECK(line_of(deepspeed(unequal), "size:") == "size: 100");
  CHECK(line_of(deepspeed(unequal), "ranks:").empty());
  const std::string each =
      "{\"zero_optimization\": {\"stage\": 1}, "
      "\"train_micro_batch_size_per_gpu\": 4}";
  CHECK(line_of(imported(each, "deepspeed", 8), "size:") == "size: 32");
}

TEST_CASE("DeepSpeed's Adam is AdamW, and its weights do not decay by themselves") {
  const auto of = [](const std::string& type, const std::string& more = "") {
    return deepspeed("\"optimizer\": {\"type\": \"" + type + "\", \"params\": {\"lr\": 1e-3" +
                     more + "}}");
  };
  CHECK(line_of(of("Adam"), "type: adam") == "type: adamw");
  CHECK(line_of(of("Adam"), "weight_decay:") == "weight_decay: 0");
  CHECK(line_of(of("Adam", ", \"adam_w_mode\": false"), "type: adam") == "type: adam");
  CHECK(line_of(of("AdamW", ", \"weight_decay\": 0.1"), "weight_decay:") == "weight_decay: 0.1");
  CHECK(line_of(of("AdamW", ", \"weight_decay\": \"auto\""), "weight_decay:").empty());
  CHECK(says(of("OneBitAdam"), "its gradients are sent whole here"));
  CHECK(line_of(of("Lamb"), "type: lamb") == "type: lamb");
}

TEST_CASE("DeepSpeed's schedules end their warm-up at a rate of their own") {
  const auto of = [](const std::string& type, const std::string& params) {
    return deepspeed(
        "\"optimizer\": {\"type\": \"AdamW\", \"params\": {\"lr\": 1e-3}}, \"scheduler\": "
        "{\"type\": \"" +
        type + "\", \"params\": {" + params + "}}");
  };
  const std::string warmup = of("WarmupLR", "\"warmup_max_lr\": 2e-4, \"warmup_num_steps\": 100");
  CHECK(line_of(warmup, "type: constant") == "type: constant");
  CHECK(line_of(warmup, "warmup:") == "warmup: 100 steps");
  CHECK(line_of(warmup, "lr:") == "lr: 2e-4");
  CHECK(says(warmup, "theirs rises as a logarithm"));
  const std::string decay =
      of("WarmupDecayLR",
         "\"warmup_num_steps\": 100, \"warmup_type\": \"linear\", \"total_num_steps\": 900");
  CHECK(line_of(decay, "type: linear") == "type: linear");
  CHECK(line_of(decay, "over:") == "over: 900 steps");
  CHECK_FALSE(says(decay, "logarithm"));
  const std::string cosine = of("WarmupCosineLR",
                                "\"cos_min_ratio\": 0.1, \"total_num_steps\": 900, "
                                "\"warmup_min_ratio\": 0.5");
  CHECK(line_of(cosine, "type: cosine") == "type: cosine");
  CHECK(line_of(cosine, "min_factor:") == "min_factor: 0.1");
  CHECK(says(cosine, "# no counterpart: a warm-up begins near 0\n"));
  CHECK(line_of(of("OneCycle", "\"cycle_max_lr\": 1e-2"), "type: one").empty());
}

TEST_CASE("DeepSpeed's factor on the loss is that of precision.scaler") {
  const std::string fp16 =
      deepspeed("\"fp16\": {\"enabled\": true, \"initial_scale_power\": 10, \"hysteresis\": 4}");
  CHECK(line_of(fp16, "compute:") == "compute: fp16");
  CHECK(line_of(fp16, "init:") == "init: 1024");
  CHECK(line_of(fp16, "interval:") == "interval: 1000");
  CHECK(says(fp16, "#   theirs: fp16.hysteresis: 4\n"));
  const std::string fixed = deepspeed("\"fp16\": {\"enabled\": true, \"loss_scale\": 512}");
  CHECK(line_of(fixed, "init:") == "init: 512");
  const std::string off = deepspeed("\"fp16\": {\"enabled\": false, \"loss_scale\": 512}");
  CHECK(line_of(off, "compute:").empty());
  CHECK(line_of(off, "scaler:").empty());
  CHECK(line_of(deepspeed("\"bf16\": {\"enabled\": true}"), "compute:") == "compute: bf16");
}

TEST_CASE("buckets count numbers, and what is sent has a type") {
  const auto bucket = [](const std::string& size) {
    return line_of(imported("{\"train_batch_size\": 8, \"zero_optimization\": {\"stage\": 2, "
                            "\"reduce_bucket_size\": " +
                                size + "}}",
                            "deepspeed"),
                   "bucket:");
  };
  CHECK(bucket("5e7") == "bucket: 200 MB");
  CHECK(bucket("5e8").empty());
  CHECK(bucket("\"auto\"").empty());
  CHECK(line_of(deepspeed("\"communication_data_type\": \"bf16\""), "compress:") ==
        "compress: bf16");
  CHECK(line_of(deepspeed("\"communication_data_type\": \"fp32\""), "compress:").empty());
}

TEST_CASE("a block of DeepSpeed's is read where the Trainer has it") {
  const std::string recipe = imported(
      "num_train_epochs: 1\ndeepspeed: {zero_optimization: {stage: 3, offload_param: {device: "
      "nvme, nvme_path: /fast}}, bf16: {enabled: true}}\n",
      "transformers");
  CHECK(strategy_of(recipe) == "strategy: zero3");
  CHECK(line_of(recipe, "compute:") == "compute: bf16");
  CHECK(line_of(recipe, "what:") == "what: parameters");
  CHECK(line_of(recipe, "path: /") == "path: /fast");
}

TEST_CASE("parameters are kept elsewhere where ranks divide them") {
  const auto of = [](int stage, const std::string& device) {
    return imported("{\"zero_optimization\": {\"stage\": " + std::to_string(stage) +
                        ", \"offload_param\": {\"device\": \"" + device +
                        "\"}, \"offload_optimizer\": {\"device\": \"cpu\"}}}",
                    "deepspeed");
  };
  CHECK(line_of(of(3, "cpu"), "offload:") == "offload: parameters");
  CHECK(says(of(3, "cpu"),
             "# does not count: the state is kept where the parameters are\n"
             "#   theirs: zero_optimization.offload_optimizer.device: cpu\n"));
  CHECK(line_of(of(3, "none"), "offload:") == "offload: optimizer");
  CHECK(line_of(of(2, "cpu"), "offload:") == "offload: optimizer");
  CHECK(says(of(2, "cpu"),
             "# does not count: without zero3 each rank needs its parameters\n"
             "#   theirs: zero_optimization.offload_param.device: cpu\n"));
}

TEST_CASE("the optimizer's state is kept where it was") {
  const auto of = [](const std::string& offload) {
    return imported(
        "{\"zero_optimization\": {\"stage\": 2, \"offload_optimizer\": {" + offload + "}}}",
        "deepspeed");
  };
  const auto disk = of("\"device\": \"nvme\", \"nvme_path\": \"/fast\"");
  CHECK(line_of(disk, "path:") == "path: /fast");
  CHECK(line_of(of("\"device\": \"nvme\""), "path:") == "path:");
  CHECK(line_of(of("\"device\": \"cpu\""), "offload:") == "offload: optimizer");
  CHECK(line_of(of("\"device\": \"none\""), "offload:").empty());
  CHECK(line_of(fsdp("fsdp_offload_params: true"), "offload:") == "offload: parameters");
  CHECK(line_of(fsdp("fsdp_sharding_strategy: SHARD_GRAD_OP, fsdp_offload_params: true"),
                "offload:") == "offload: optimizer");
  CHECK(line_of(fsdp("fsdp_offload_params: false"), "offload:").empty());
  const auto on_cpu = accelerate(
      "use_cpu: true\ndistributed_type: FSDP\nfsdp_config: "
      "{fsdp_offload_params: true}\n");
  CHECK(line_of(on_cpu, "offload:").empty());
  CHECK(says(on_cpu,
             "# does not count: with device cpu all is in the memory of the host\n"
             "#   theirs: fsdp_config.fsdp_offload_params: true\n"));
}

TEST_CASE("a file that is named is read, if it is there") {
  const auto reader = [](const std::string& name) -> std::shared_ptr<const schema::Source> {
    if (name != "there.json") return nullptr;
    return source_of("{\"zero_optimization\": {\"stage\": 1}, \"unheard_of\": 1}", name);
  };
  const auto of = [&](const std::string& file) {
    return import_file(source_of("num_train_epochs: 1\ndeepspeed: " + file + "\n"), "transformers",
                       0, reader);
  };
  CHECK(strategy_of(of("there.json")) == "strategy: zero1");
  CHECK(says(of("there.json"), "#   theirs: deepspeed.unheard_of: 1"));
  CHECK(strategy_of(of("elsewhere.json")).empty());
  CHECK(says(of("elsewhere.json"),
             "# no counterpart: no file of this name is there: knead import reads one by itself "
             "too\n#   theirs: deepspeed: elsewhere.json\n"));
}
