#include "runner/peers/peer.h"

// Source: accelerate 16cb6eb8, commands/config/config_args.py and commands/config/cluster.py.

namespace knead::peers {
namespace {

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
    {"fsdp_config.fsdp_activation_checkpointing", Part::recompute},
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
    {true, "each rank of knead holds the whole model",
     "fsdp_config.* deepspeed_config.* megatron_lm_config.* "
     "parallelism_config.* parallelism_config.parallelism_config_dp_replicate_size=1 "
     "parallelism_config.parallelism_config_dp_shard_size=1 "
     "parallelism_config.parallelism_config_cp_size=1 "
     "parallelism_config.parallelism_config_tp_size=1"},
    {true,
     "what that file says of the batch is batch here, its gradient_clipping clip.norm, its "
     "fp16 and bf16 precision.compute",
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

}  // namespace

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
};

}  // namespace knead::peers
