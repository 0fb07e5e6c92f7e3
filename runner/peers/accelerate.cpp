#include "runner/peers/peer.h"

// Source: accelerate 16cb6eb8, commands/config/config_args.py, commands/config/cluster.py and, for
// FSDP, utils/dataclasses.py; transformers 4.30.2 to 5.0.0, training_args.py. Older files write the
// keys of FSDP without fsdp_.

namespace knead::peers {
namespace {

constexpr Counterpart kFsdpCounterparts[] = {
    {"fsdp_sharding_strategy", Part::sharding},
    {"sharding_strategy", Part::sharding},
    {"fsdp_reshard_after_forward", Part::reshard},
    {"reshard_after_forward", Part::reshard},
    {"fsdp_offload_params", Part::offload_all},
    {"offload_params", Part::offload_all},
    {"cpu_offload", Part::offload_all},
    {"fsdp_cpu_offload", Part::offload_all},
    {"fsdp_offload_optimizer", Part::offload_all},
    {"fsdp_activation_checkpointing", Part::recompute},
    {"activation_checkpointing", Part::recompute},
};

constexpr Without kFsdpWithout[] = {
    {false, "zero3 gathers the children of the largest ModuleList; distributed.units says others",
     "fsdp_auto_wrap_policy auto_wrap_policy fsdp_transformer_layer_cls_to_wrap "
     "transformer_layer_cls_to_wrap fsdp_transformer_cls_names_to_wrap "
     "fsdp_min_num_params min_num_params fsdp_use_no_split_modules"},
    {false, "zero3 gathers the next unit while one computes",
     "fsdp_backward_prefetch backward_prefetch fsdp_backward_prefetch_policy "
     "fsdp_forward_prefetch forward_prefetch fsdp_limit_all_gathers limit_all_gathers"},
    {false, "a checkpoint loads into any strategy, and knead export writes whole weights",
     "fsdp_state_dict_type state_dict_type fsdp_final_state_dict_type"},
    {false, "each rank reads no more than it holds, and all begin alike",
     "fsdp_cpu_ram_efficient_loading cpu_ram_efficient_loading fsdp_sync_module_states "
     "sync_module_states"},
    {false, "parameters keep their names and shapes", "fsdp_use_orig_params use_orig_params"},
    {false, "both versions of FSDP compute the same", "fsdp_version version"},
    {true, "precision.compute says what is computed in, distributed.gather what is sent",
     "fsdp_mixed_precision_policy mixed_precision_policy mixed_precision mixed_precision.*"},
    {true, "model.freeze names what stays as it is", "fsdp_ignored_modules ignored_modules"},
    {true, "knead trains on CPUs and CUDA",
     "xla xla_fsdp_v2 xla_fsdp_grad_ckpt xla_fsdp_settings xla_fsdp_settings.*"},
};

constexpr Counterpart kAccelerateCounterparts[] = {
    {"use_cpu", Part::cpu},
    {"mixed_precision", Part::precision},
    {"fp16", Part::fp16},
    {"num_processes", Part::processes},
    {"num_machines", Part::machines},
    {"distributed_type", Part::distributed_type},
    {"num_cpu_threads_per_process", Part::threads},
    {"deepspeed_config.gradient_accumulation_steps", Part::accumulation},
    {"gradient_accumulation_steps", Part::accumulation},
    {"deepspeed_config.gradient_clipping", Part::clip_norm},
    {"deepspeed_config.zero_stage", Part::zero_stage},
    {"deepspeed_config.offload_optimizer_device", Part::offload_device},
    {"deepspeed_config.offload_optimizer_nvme_path", Part::offload_path},
    {"deepspeed_config.offload_param_device", Part::parameters_device},
    {"deepspeed_config.offload_param_nvme_path", Part::parameters_path},
    {"parallelism_config.parallelism_config_dp_replicate_size", Part::replicas},
    {"parallelism_config.parallelism_config_dp_shard_size", Part::shards},
    {"megatron_lm_config.megatron_lm_gradient_clipping", Part::clip_norm},
    {"megatron_lm_config.megatron_lm_recompute_activations", Part::recompute},
};

constexpr Without kAccelerateWithout[] = {
    {false, "torchrun, srun or mpirun tells each rank which it is, and where the first one is",
     "machine_rank=0 main_process_ip main_process_port rdzv_backend=static same_network=true "
     "mpirun_config.*"},
    {true, "CUDA_VISIBLE_DEVICES says which GPUs, the system which cores",
     "gpu_ids=all enable_cpu_affinity=false"},
    {true, "what is trained is the model of the recipe", "main_training_function=main"},
    {true, "TPUs",
     "downcast_bf16=no tpu_name tpu_zone tpu_use_cluster tpu_use_sudo command_file commands tpu_vm "
     "tpu_env"},
    {true, "no layer is cut over ranks: distributed.strategy cuts what each rank holds",
     "megatron_lm_config.* parallelism_config.* "
     "parallelism_config.parallelism_config_cp_size=1 "
     "parallelism_config.parallelism_config_tp_size=1 "
     "parallelism_config.parallelism_config_sp_size=1 tp_config.* tp_config.tp_size=1"},
    {true, "distributed.strategy: zero1 cuts the optimizer's state too, without cutting layers",
     "megatron_lm_config.megatron_lm_use_distributed_optimizer"},
    {false, "each rank reads no more than it holds", "deepspeed_config.zero3_init_flag"},
    {false, "a checkpoint loads into any strategy, and knead export writes whole weights",
     "deepspeed_config.zero3_save_16bit_model"},
    {false, "torchrun, srun or mpirun starts the ranks of several machines",
     "deepspeed_config.deepspeed_multinode_launcher deepspeed_config.deepspeed_hostfile "
     "deepspeed_config.deepspeed_exclusion_filter deepspeed_config.deepspeed_inclusion_filter"},
    {true, "an option of DeepSpeed that knead has not", "deepspeed_config.*"},
    {true, "no file of this name is there: knead import reads one by itself too",
     "deepspeed_config_file deepspeed_config.deepspeed_config_file"},
    {true, "numbers of 8 bits; nearest is precision.compute: bf16", "fp8_config.*"},
    {true, "kernels are LibTorch's own", "dynamo_config.* dynamo_backend=NO ipex_config.*"},
    {true, "SageMaker",
     "compute_environment=LOCAL_MACHINE ec2_instance_type iam_role_name image_uri profile region "
     "base_job_name pytorch_version "
     "transformers_version py_version sagemaker_inputs_file sagemaker_metrics_file "
     "additional_args.*"},
    {false, "what goes wrong is always checked, and said with its place", "debug=false"},
};

constexpr Mount kAccelerateMounts[] = {
    {"fsdp_config", &kFsdp},
    {"deepspeed_config.deepspeed_config_file", &kDeepspeed},
    {"deepspeed_config_file", &kDeepspeed},
};

}  // namespace

const Peer kFsdp{
    .name = "fsdp",
    .title = "FSDP",
    .counterparts = kFsdpCounterparts,
    .without = kFsdpWithout,
    .habits = {},
    .needs = "",
    .marks = "",
    .fewest = 1,
    .trains_language_models = false,
    .spares_norms = false,
    .warms_up_from_zero = false,
    .drops_last = false,
};

const Peer kAccelerate{
    .name = "accelerate",
    .title = "Accelerate",
    .counterparts = kAccelerateCounterparts,
    .without = kAccelerateWithout,
    // The file configures a launcher. The numbers of the training are in the script that it
    // launches, so no default of theirs may be written.
    .habits = {},
    .needs = "compute_environment distributed_type",
    .marks =
        "compute_environment distributed_type mixed_precision num_processes num_machines "
        "machine_rank use_cpu",
    .fewest = 2,
    .trains_language_models = false,
    .spares_norms = false,
    .warms_up_from_zero = false,
    .drops_last = false,
    .mounts = kAccelerateMounts,
};

}  // namespace knead::peers
