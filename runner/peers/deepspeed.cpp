#include "runner/peers/peer.h"

// Source: DeepSpeed 0.17.1, runtime/config.py, runtime/zero/config.py, runtime/constants.py and
// runtime/lr_schedules.py.

namespace knead::peers {
namespace {

constexpr Counterpart kDeepspeedCounterparts[] = {
    {"train_batch_size", Part::global_batch},
    {"train_micro_batch_size_per_gpu", Part::rank_batch},
    {"gradient_accumulation_steps", Part::accumulation},
    {"dataloader_drop_last", Part::drop_last},

    {"zero_optimization.stage", Part::zero_stage},
    {"zero_optimization.reduce_bucket_size", Part::bucket_numbers},
    {"zero_optimization.offload_optimizer.device", Part::offload_device},
    {"zero_optimization.offload_optimizer.nvme_path", Part::offload_path},
    {"zero_optimization.offload_param.device", Part::parameters_device},
    {"zero_optimization.offload_param.nvme_path", Part::parameters_path},
    {"communication_data_type", Part::sent_dtype},

    {"optimizer.type", Part::optimizer},
    {"optimizer.name", Part::optimizer},
    // The schedules with a warm-up end it at this rate, whatever the optimizer says.
    {"scheduler.params.warmup_max_lr", Part::lr},
    {"optimizer.params.lr", Part::lr},
    {"optimizer.params.weight_decay", Part::weight_decay},
    {"optimizer.params.eps", Part::epsilon},
    {"optimizer.params.adam_w_mode", Part::decoupled_decay},
    {"optimizer.params.*", Part::optimizer_option},
    {"gradient_clipping", Part::clip_norm},

    {"scheduler.type", Part::schedule},
    {"scheduler.params.warmup_num_steps", Part::warmup_steps},
    {"scheduler.params.warmup_type", Part::warmup_shape},
    {"scheduler.params.total_num_steps", Part::schedule_steps},
    {"scheduler.params.cos_min_ratio", Part::min_factor},

    {"bf16.enabled", Part::bf16},
    {"bfloat16.enabled", Part::bf16},
    {"fp16.enabled", Part::fp16},
    {"fp16.loss_scale", Part::fixed_loss_scale},
    {"fp16.initial_scale_power", Part::loss_scale_power},
    {"fp16.loss_scale_window", Part::loss_scale_interval},

    {"steps_per_print", Part::report_steps},
    {"tensorboard.enabled", Part::tensorboard},
};

constexpr Without kDeepspeedWithout[] = {
    {true, "how the state is moved is not said: distributed.offload says where it is",
     "zero_optimization.offload_optimizer.* zero_optimization.offload_optimizer "
     "zero_optimization.offload_param.* zero_optimization.offload_param "
     "zero_force_ds_cpu_optimizer=true aio.* aio"},
    {true, "parameters stay in the memory of the device",
     "zero_optimization.cpu_offload zero_optimization.cpu_offload_params "
     "zero_optimization.cpu_offload_use_pin_memory zero_optimization.super_offload "
     "zero_optimization.zenflow.*"},
    {true, "parameters are sent as distributed.gather says, gradients as distributed.compress",
     "zero_optimization.zero_quantized_weights "
     "zero_optimization.zero_quantized_nontrainable_weights "
     "zero_optimization.zero_quantized_gradients zero_optimization.zeropp_loco_param.*"},
    {true, "parameters are cut over all ranks of a replica: distributed.replicas says how many",
     "zero_optimization.zero_hpz_partition_size=1 zero_optimization.mics_shard_size=-1 "
     "zero_optimization.mics_hierarchical_params_gather "
     "zero_optimization.param_persistence_threshold"},
    {false, "buckets are sent while backward computes; how large they are changes no numbers",
     "zero_optimization.allgather_partitions=true "
     "zero_optimization.allgather_bucket_size=500000000 zero_optimization.reduce_scatter=true "
     "zero_optimization.overlap_comm zero_optimization.contiguous_gradients=true "
     "zero_optimization.round_robin_gradients zero_optimization.use_multi_rank_bucket_allreduce "
     "zero_optimization.use_all_reduce_for_fetch_params zero_optimization.sub_group_size "
     "zero_optimization.stage3_use_all_reduce_for_fetch_params "
     "zero_optimization.allgather_sequential disable_allgather "
     "zero_optimization.legacy_stage1 zero_optimization.memory_efficient_linear"},
    {false, "zero3 gathers the next unit while one computes; distributed.units says the units",
     "zero_optimization.stage3_max_live_parameters zero_optimization.stage3_max_reuse_distance "
     "zero_optimization.stage3_prefetch_bucket_size "
     "zero_optimization.stage3_param_persistence_threshold "
     "zero_optimization.stage3_model_persistence_threshold "
     "zero_optimization.stage3_module_granularity_threshold "
     "zero_optimization.max_live_parameters zero_optimization.max_reuse_distance "
     "zero_optimization.prefetch_bucket_size zero_optimization.leaf_module.* "
     "zero_optimization.stage3_allgather_sequential zero_optimization.override_module_apply=true "
     "zero_optimization.module_granularity_threshold zero_optimization.log_trace_cache_warnings"},
    {false, "a checkpoint loads into any strategy, and knead export writes whole weights",
     "zero_optimization.stage3_gather_16bit_weights_on_model_save "
     "zero_optimization.stage3_gather_fp16_weights_on_model_save "
     "zero_optimization.gather_16bit_weights_on_model_save "
     "zero_optimization.elastic_checkpoint zero_optimization.load_from_fp32_weights "
     "zero_optimization.pipeline_loading_checkpoint checkpoint.* "
     "zero_optimization.ignore_unused_parameters=true"},
    {false, "every optimizer works with every strategy", "zero_allow_untested_optimizer"},
    {false, "a step is the mean over all its items, whatever is scaled on the way",
     "prescale_gradients gradient_predivide_factor=1.0 fp32_allreduce"},
    {true, "an option of zero_optimization that knead has not", "zero_optimization.*"},
    {true, "gradients are dense", "sparse_gradients"},
    {true, "gradients are added up in fp32",
     "data_types.grad_accum_dtype=fp32 gradient_accumulation_dtype bf16.immediate_grad_update"},
    {true, "a warm-up begins near 0",
     "scheduler.params.warmup_min_lr scheduler.params.warmup_min_ratio"},
    {true, "the other options of a schedule",
     "scheduler.params.* scheduler.params.last_batch_iteration=-1"},
    {true, "where the optimizer comes from is the recipe",
     "optimizer.legacy_fusion optimizer.params.torch_adam optimizer.params.bias_correction=true "
     "optimizer.params.freeze_step optimizer.params.cuda_aware "
     "optimizer.params.comm_backend_name optimizer.params.adamw_mode"},
    {true, "the factor on the loss becomes smaller at each overflow, as far as it must",
     "fp16.hysteresis=2 fp16.min_loss_scale=1 fp16.consecutive_hysteresis"},
    {true, "weights and what the optimizer knows of them are kept in fp32",
     "fp16.fp16_master_weights_and_grads bf16.bf16_master_weights_and_grads "
     "bf16.bf16_optimizer_states fp16.master_weights_and_gradients"},
    {false, "what is computed in fp16 or bf16 is chosen as PyTorch's autocast does",
     "fp16.auto_cast torch_autocast.* bf16.check_grad_overflow"},
    {true, "Apex: precision.compute: fp16 is its successor", "amp.* amp"},
    {true,
     "how the model's own checkpointing keeps activations: here activation_checkpointing names "
     "modules",
     "activation_checkpointing.*"},
    {true, "no layer is cut over ranks: distributed.strategy cuts what each rank holds",
     "tensor_parallel.* autotp_size pipeline.* sequence_parallel_size "
     "use_data_before_expert_parallelism"},
    {false, "knead bench says where the time goes, knead plan the memory, profile the operators",
     "wall_clock_breakdown memory_breakdown dump_state flops_profiler.* comms_logger.* timers.*"},
    {false, "tensorboard's files lie in the folder of the run",
     "tensorboard.output_path tensorboard.job_name"},
    {true, "where else numbers go: track.to has tensorboard, csv and others",
     "wandb.* csv_monitor.* comet.*"},
    {true, "DeepSpeed's ways to learn something else or with less",
     "curriculum_learning.* data_efficiency.* progressive_layer_drop.* eigenvalue.* "
     "quantize_training.* compression_training.* sparse_attention.* elasticity.* autotuning.* "
     "hybrid_engine.* nebula.* compile.* weight_quantization.* data_sampling.*"},
    {true, "the seed of the recipe", "seed"},
};

constexpr Habit kDeepspeedHabits[] = {
    {"optimizer.params.weight_decay", "0"},
    {"optimizer.params.adam_w_mode", "true"},
    {"scheduler.params.warmup_type", "log"},
    {"fp16.loss_scale_window", "1000"},
};

}  // namespace

const Peer kDeepspeed{
    .name = "deepspeed",
    .title = "DeepSpeed",
    .counterparts = kDeepspeedCounterparts,
    .without = kDeepspeedWithout,
    .habits = kDeepspeedHabits,
    .needs = "train_micro_batch_size_per_gpu zero_optimization train_batch_size",
    .marks =
        "train_micro_batch_size_per_gpu zero_optimization zero_optimization.stage "
        "train_batch_size steps_per_print wall_clock_breakdown prescale_gradients "
        "gradient_clipping optimizer.type scheduler.type fp16.enabled bf16.enabled "
        "zero_allow_untested_optimizer",
    .fewest = 2,
    .trains_language_models = false,
    .spares_norms = false,
    .warms_up_from_zero = false,
    .drops_last = false,
    .leaves_auto_open = true,
};

}  // namespace knead::peers
