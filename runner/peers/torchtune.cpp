#include "runner/peers/peer.h"

// Source: torchtune bd2a0fc, the keys that its recipes read and those of its 197 configurations.

namespace knead::peers {
namespace {

constexpr Counterpart kTorchtuneCounterparts[] = {
    {"output_dir", Part::output_folder},
    {"seed", Part::seed},
    {"device", Part::device},
    {"dtype", Part::weight_dtype},
    {"model._component_", Part::model},
    {"checkpointer._component_", Part::model},
    {"checkpointer.checkpoint_dir", Part::model},
    {"checkpointer.checkpoint_files", Part::model},
    {"checkpointer.model_type", Part::model},
    {"tokenizer.max_seq_len", Part::context},
    {"dataset.max_seq_len", Part::context},
    {"tokenizer.*", Part::tokenizer},
    {"dataset", Part::dataset},
    {"dataset._component_", Part::dataset},
    {"dataset.source", Part::dataset},
    {"dataset.data_files", Part::dataset},
    {"dataset.split", Part::dataset},
    {"dataset.column", Part::dataset},
    {"dataset.name", Part::dataset},
    {"dataset.subset", Part::dataset},
    {"dataset_val", Part::validation_dataset},
    {"dataset_val._component_", Part::validation_dataset},
    {"dataset_val.source", Part::validation_dataset},
    {"dataset_val.data_files", Part::validation_dataset},
    {"dataset_val.split", Part::validation_dataset},
    {"shuffle", Part::shuffle},
    {"loss._component_", Part::loss},
    {"batch_size", Part::rank_batch},
    {"gradient_accumulation_steps", Part::accumulation},
    {"data_parallel_replicate_dim", Part::replicas},
    {"fsdp_cpu_offload", Part::offload_all},
    {"data_parallel_shard_dim", Part::shards},
    {"fsdp_reshard_after_forward", Part::reshard},
    {"batch_size_val", Part::evaluation_batch},
    {"optimizer._component_", Part::optimizer},
    {"optimizer.lr", Part::lr},
    {"optimizer.weight_decay", Part::weight_decay},
    {"optimizer.eps", Part::epsilon},
    {"optimizer.*", Part::optimizer_option},
    {"lr_scheduler._component_", Part::schedule},
    {"lr_scheduler.num_warmup_steps", Part::warmup_steps},
    {"lr_scheduler.num_cycles", Part::cycles},
    {"lr_scheduler.gamma", Part::gamma},
    {"lr_scheduler.step_size", Part::step_size},
    {"lr_scheduler.eta_min", Part::min_lr},
    {"clip_grad_norm", Part::clip_norm},
    {"epochs", Part::epochs},
    {"max_steps_per_epoch", Part::steps_per_epoch},
    {"run_val_every_n_steps", Part::evaluate_steps},
    {"save_every_n_steps", Part::save_steps},
    {"save_every_n_epochs", Part::save_epochs},
    {"checkpointer.keep_last_n_checkpoints", Part::keep},
    {"resume_from_checkpoint", Part::resume},
    {"metric_logger._component_", Part::report_to},
    {"log_every_n_steps", Part::report_steps},
    {"cudnn_deterministic_mode", Part::deterministic},
    {"enable_activation_checkpointing", Part::recompute},
    {"profiler.enabled", Part::profile_enabled},
    {"profiler.wait_steps", Part::profile_after},
    {"profiler.warmup_steps", Part::profile_after},
    {"profiler.active_steps", Part::profile_steps},
};

constexpr Without kTorchtuneWithout[] = {
    {true, "adapters: the weights themselves are trained, mostly with a smaller lr",
     "model.lora_attn_modules model.apply_lora_to_mlp model.apply_lora_to_output model.lora_rank "
     "model.lora_alpha model.lora_dropout model.quantize_base model.use_dora "
     "save_adapter_weights_only checkpointer.adapter_checkpoint"},
    {true, "arguments of their model: model.args has those of yours", "model.*"},
    {true, "no layer is cut over ranks: distributed.strategy cuts what each rank holds",
     "tensor_parallel_dim=1 tensor_parallel_plan tensor_parallel_plan.* context_parallel_dim=1"},
    {false, "zero3 gathers the children of the largest ModuleList; distributed.units says others",
     "custom_sharded_layers memory_efficient_fsdp_wrap"},
    {false, "a checkpoint loads into any strategy", "use_distributed_state_dict"},
    {true, "an option of FSDP that knead has not", "fsdp fsdp.*"},
    {true, "activation_checkpointing names modules, not operations", "ac_mode ac_option"},
    {true, "memory: nothing is moved elsewhere; batch.micro and activation_checkpointing save it",
     "enable_activation_offloading"},
    {true, "memory: an update begins when all gradients are there", "optimizer_in_bwd"},
    {true, "kernels are LibTorch's own",
     "compile compile.* use_flex enable_kv_cache enable_fp8_training fp8_recipe_name"},
    {true, "numbers of fewer bits", "quantizer.* fake_quant_after_n_steps"},
    {true, "other aims than a loss on given targets",
     "loss.* teacher_model.* teacher_checkpointer.* kd_ratio kd_loss.* ref_checkpointer.* "
     "ppo_epochs num_steps max_generated_tokens forward_batch_size whiten_rewards "
     "value_checkpointer.* stop_token_ids reward_penalty reward_functions reward_checkpointer.* "
     "reward_and_value_model.* ref_policy_checkpointer.* ppo_batch_size policy_model.* "
     "penalise_no_eos min_response_length lmbda kl_coeff grpo_samples gamma base_model_path "
     "early_exit_loss.* layer_dropout.* orchestration.* training.* inference.* "
     "postprocessing.* debug_logging_enabled debug_num_samples_per_step"},
    {true, "generating and scoring text",
     "prompt.* max_new_tokens temperature top_k tasks limit max_seq_length include_path "
     "chat_template apply_chat_template batch_size_eval"},
    {true, "text is read as it is: prompts and masks belong into the files",
     "dataset.* dataset_val.* collate_fn datasets resize_token_embeddings.* name"},
    {true, "a profile has all operators, and is in the folder of the run", "profiler.*"},
    {true, "where else numbers go", "metric_logger.*"},
    {true, "the other options of a schedule", "lr_scheduler.*"},
    {false, "a sample is a full window of tokens", "dataset.packed dataset_val.packed"},
    {false, "memory is always reported, a terminal gets a progress line",
     "log_peak_memory_stats log_level=INFO"},
    {false, "a checkpoint is written while training goes on", "enable_async_checkpointing"},
    {false, "a checkpoint holds all that a run goes on from, in the folder of the run",
     "checkpointer.recipe_checkpoint checkpointer.output_dir checkpointer.*"},
    {false, "tensorboard's files and the log lie in the folder of the run",
     "metric_logger.log_dir metric_logger.organize_logs"},
    {false, "how memory is freed changes no numbers", "enable_expandable_segments low_cpu_ram"},
    {false, "batches are read ahead by threads", "dataloader.*"},
};

constexpr Habit kTorchtuneHabits[] = {
    {"log_every_n_steps", "1"},
    {"shuffle", "true"},
    {"save_every_n_epochs", "1"},
};

}  // namespace

const Peer kTorchtune{
    .name = "torchtune",
    .title = "torchtune",
    .counterparts = kTorchtuneCounterparts,
    .without = kTorchtuneWithout,
    .habits = kTorchtuneHabits,
    // `_component_` is torchtune's own way to name a class, so one such key identifies its files.
    .needs = "*._component_",
    .marks = "*._component_",
    .fewest = 1,
    .trains_language_models = true,
    .spares_norms = false,
    .warms_up_from_zero = true,
    .drops_last = true,
};

}  // namespace knead::peers
