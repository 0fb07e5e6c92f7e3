#include "schema/document/suggest.h"

#include <vector>

#include <catch2/catch.hpp>

#include "schema/table/catalog.h"
#include "schema/validate/unknown_key.h"

using namespace knead::schema;

namespace {

std::string guess(const char* name, const char* block) {
  const Type* type = *block ? type_at(recipe_type(), block) : &recipe_type();
  if (type->shape == Shape::kinds) type = type->kinds[0].type;
  return guess_key(name, {*type, block, "", {}}, every_key(recipe_type()), {}).hint;
}

}  // namespace

TEST_CASE("edits are counted with swaps of neighbours") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("lr", "rl") == 1);
  CHECK(edit_distance("weight_decya", "weight_decay") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("abcd", "badc") == 2);
  CHECK(edit_distance("", "") == 0);
  for (const auto& [a, b] :
       std::initializer_list<std::pair<const char*, const char*>>{{"", ""},
                                                                  {"lr", "lr"},
                                                                  {"lr", "rl"},
                                                                  {"batch", "bath"},
                                                                  {"bath", "batch"},
                                                                  {"size", "sizes"},
                                                                  {"beta", "bata"},
                                                                  {"ab", "ba"},
                                                                  {"abc", "cba"},
                                                                  {"ab", "cd"},
                                                                  {"aab", "b"},
                                                                  {"", "ab"}}) {
    INFO(a << " and " << b);
    CHECK(one_edit_apart(a, b) == (edit_distance(a, b) <= 1));
  }
  CHECK(same_but_style("learning-rate", "Learning_Rate"));
  CHECK(same_but_style("", "_"));
  CHECK_FALSE(same_but_style("learningrat", "learning_rate"));
  CHECK_FALSE(same_but_style("lr", "lrs"));
}

TEST_CASE("the nearest word ignores case and separators, and nothing is near everything") {
  const std::vector<std::string_view> words{"lr", "betas", "weight_decay", "eps"};
  CHECK(nearest("WeightDecay", words) == "weight_decay");
  CHECK(nearest("weight-decay", words) == "weight_decay");
  CHECK(nearest("beta", words) == "betas");
  CHECK(nearest("x", words).empty());
  CHECK(nearest("momentum", words).empty());
  CHECK(nearest(std::string(5000, 'a'), words).empty());
}

TEST_CASE("an unknown key is a slip, a name from elsewhere, or in the wrong block") {
  CHECK(guess("optimizr", "") == "did you mean 'optimizer'?");
  CHECK(guess("lr", "") == "'lr' belongs under optimizer");
  CHECK(guess("learning_rate", "") == "in knead: optimizer.lr");
  CHECK(guess("learning_rate", "optimizer") == "in knead: 'lr'");
  CHECK(guess("num_train_epochs", "train") == "in knead: train.until, as in 3 epochs");
  CHECK(guess("gradient_accumulation_steps", "") ==
        "in knead: batch.size and batch.micro: size / micro passes are accumulated");
  CHECK(guess("per_device_train_batch_size", "") ==
        "in knead: batch.micro; batch.size is that × accumulation × processes");
  CHECK(guess("max_grad_norm", "") == "in knead: clip.norm");
  CHECK(guess("save_total_limit", "") == "in knead: checkpoint.keep.last");
  CHECK(guess("batch", "optimizer") == "'batch' belongs at the top level or under evaluate");
  CHECK(guess("steps", "") ==
        "'steps' belongs under profile, or in knead: train.until, as in 1000 steps");
  CHECK(guess("zzz", "").empty());
}

TEST_CASE("a block with other words behind it is no slip") {
  CHECK(guess("loss_balancing_lr", "") == "'knead explain loss' shows what there is to say");
  CHECK(guess("dataset_num_proc", "") == "'knead explain data' shows what there is to say");
  CHECK(guess("losses", "") == "did you mean 'loss'?");
  CHECK(guess("checkpointer", "") == "did you mean 'checkpoint'?");
}

TEST_CASE("what has no key says why") {
  const std::string one =
      "in knead: distributed.ranks says how many processes share each batch; nothing else is to "
      "say";
  for (const char* name : {"ddp", "sync_batchnorm"}) CHECK(guess(name, "") == one);
  CHECK(guess("device_map", "") ==
        "in knead: no layer is cut over ranks; distributed.strategy: zero3 cuts what each rank "
        "holds");
  for (const char* name : {"num_nodes", "machine_rank"})
    CHECK(guess(name, "") ==
          "in knead: torchrun, srun or mpirun starts the ranks of several machines and tells them");
  CHECK(guess("lora_r", "").starts_with("in knead: no adapters"));
  CHECK(guess("lora_r", "optimizer").starts_with("in knead: no adapters"));
  CHECK(guess("_component_", "schedule") == "in knead: type, as in type: adamw; of a model, class");
  CHECK(guess("sample_packing", "") ==
        "in knead: a sample of type: text is always a full window of context tokens");
  CHECK(guess("do_predict", "") == "in knead: 'knead predict' writes what a model makes of a set");
}

TEST_CASE("names that people bring along are known, with words where a key does not say it") {
  CHECK(brought("max_norm").name == "max_norm");
  CHECK(brought("max_norm").words.empty());
  CHECK(brought("max_steps: train.until, as in 3: 4").name == "max_steps");
  CHECK(brought("max_steps: train.until, as in 3: 4").words == "train.until, as in 3: 4");
  const std::vector<std::pair<const char*, const char*>> names{
      // Lightning's Trainer, ModelCheckpoint, EarlyStopping
      {"fast_dev_run", "'knead plan' tries the first step"},
      {"every_n_epochs", "average.every or checkpoint.every"},
      {"check_finite", "'non_finite'"},
      // Ludwig, torchtune, axolotl, TrainingArguments
      {"enable_profiling", "'profile'"},
      {"reduce_on_plateau", "schedule.type: plateau"},
      {"reduce_eval_metric", "evaluate.monitor"},
      {"embedding_lr", "optimizer.groups"},
      {"profiler_steps", "profile.steps"},
      {"dataset_mixer", "data.train: {type: mix, of: …}"},
      {"auto_find_batch_size", "batch.micro, which changes memory and not the result"},
      {"overwrite_output_dir", "'knead run --fresh' starts over"},
      {"lr_scheduler_kwargs", "the keys of schedule"},
      {"num_hidden_layers", "an argument of your model, in model: {args: …}"},
      {"wandb_project", "track.to, which has tensorboard, mlflow, wandb and others"},
      {"accelerator", "device"},
      {"logger", "'track'"},
      {"fsdp_config",
       "distributed.strategy, as in zero3; distributed.ranks says how many processes"},
      {"zero_stage",
       "distributed.strategy, as in zero3; distributed.ranks says how many processes"},
      {"fsdp_transformer_layer_cls_to_wrap", "distributed.units, as in [\"blocks.*\"]"},
      {"dp_replicate_size", "distributed.replicas"},
      {"max_epochs", "train.until, as in 3 epochs"},
      {"max_time", "train.time_limit"},
      {"limit_train_batches", "data.train.rows, as in [0, 1000] or [0%, 10%]"},
      {"overfit_batches", "data.train.rows, as in [0, 1000] or [0%, 10%]"},
      {"limit_val_batches", "data.validation.rows, as in [0, 1000] or [0%, 10%]"},
      {"val_check_interval", "evaluate.every"},
      {"check_val_every_n_epoch", "evaluate.every"},
      {"num_sanity_val_steps", "evaluate.at_start"},
      {"log_every_n_steps", "track.every"},
      {"enable_checkpointing", "'checkpoint'"},
      {"accumulate_grad_batches",
       "batch.size and batch.micro: size / micro passes are accumulated"},
      {"gradient_clip_val", "clip.norm"},
      {"gradient_clip_algorithm", "clip.norm or clip.value"},
      {"detect_anomaly", "'non_finite'"},
      {"default_root_dir", "'output'"},
      {"save_top_k", "checkpoint.keep.best"},
      {"every_n_train_steps", "checkpoint.every"},
      // Ludwig's trainer
      {"train_steps", "train.until, as in 1000 steps"},
      {"effective_batch_size", "batch.size"},
      {"eval_batch_size", "evaluate.batch"},
      {"steps_per_checkpoint", "checkpoint.every"},
      {"checkpoints_per_epoch", "checkpoint.every, as in 0.25 epochs for 4 in an epoch"},
      {"early_stop", "'early_stopping'"},
      {"validation_metric", "evaluate.monitor"},
      {"regularization_lambda", "optimizer.weight_decay"},
      {"should_shuffle", "data.shuffle"},
      {"gradient_clipping", "'clip'"},
      {"clipglobalnorm", "clip.norm"},
      {"clipvalue", "clip.value"},
      {"learning_rate_scheduler", "'schedule'"},
      {"warmup_fraction", "schedule.warmup, as in 10%"},
      {"reduce_on_plateau_patience", "schedule.patience"},
      {"polynomial_power", "schedule.power"},
      {"use_mixed_precision", "'precision'"},
      {"layers_to_freeze_regex", "model.freeze"},
      {"model_soup", "'average'"},
      {"random_seed", "'seed'"},
      // Accelerate's classes
      {"project_dir", "'output'"},
      {"total_limit", "checkpoint.keep.last"},
      {"log_with", "track.to"},
      {"init_scale", "precision.scaler.init"},
      {"growth_interval", "precision.scaler.interval"},
      {"cache_enabled", "precision.cache"},
      {"num_cpu_threads_per_process", "'threads'"},
  };
  for (const auto& [theirs, ours] : names) {
    INFO(theirs);
    const std::string hint = guess(theirs, "");
    CHECK((hint == std::string("in knead: ") + ours ||
           hint == std::string("in knead: '") + ours + "'"));
  }
}

TEST_CASE("a pattern stands for the paths of items and names") {
  CHECK(matches("expect.*.metric", "expect.0.metric"));
  CHECK(matches("data.train.fields.*.columns", "data.train.fields.pixels.columns"));
  CHECK_FALSE(matches("expect.*.metric", "expect.metric"));
  CHECK_FALSE(matches("expect", "expect.0"));
}
