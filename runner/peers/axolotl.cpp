#include "runner/peers/peer.h"

// Source: axolotl 067b021c8, utils/schemas/, integrations/*/args.py and core/builders/base.py.

namespace knead::peers {
namespace {

constexpr Counterpart kAxolotlCounterparts[] = {
    {"base_model", Part::model},
    {"base_model_config", Part::model},
    {"cls_model_config", Part::model},
    {"model_type", Part::model},
    {"type_of_model", Part::model},
    {"revision_of_model", Part::model},
    {"model_revision", Part::model},
    {"overrides_of_model_config", Part::model},
    {"model_config", Part::model},
    {"model_config.*", Part::model},
    {"overrides_of_model_config.*", Part::model},
    {"tokenizer_config", Part::tokenizer},
    {"tokenizer_type", Part::tokenizer},
    {"datasets", Part::dataset},
    {"pretraining_dataset", Part::dataset},
    {"test_datasets", Part::validation_dataset},
    {"val_set_size", Part::validation_share},
    {"sequence_len", Part::context},
    {"curriculum_sampling", Part::in_order},
    {"shuffle_merged_datasets", Part::shuffle},
    {"dataloader_drop_last", Part::drop_last},
    {"dataloader_num_workers", Part::workers},
    {"dataloader_prefetch_factor", Part::prefetch_per_worker},

    {"wandb_name", Part::run_name},
    {"mlflow_run_name", Part::run_name},
    {"trackio_run_name", Part::run_name},
    {"swanlab_experiment_name", Part::run_name},
    {"output_dir", Part::output_folder},
    {"seed", Part::seed},
    {"device", Part::device},

    {"rl", Part::other_aim},
    {"reward_model", Part::other_aim},
    {"process_reward_model", Part::other_aim},

    {"micro_batch_size", Part::rank_batch},
    {"gradient_accumulation_steps", Part::accumulation},
    {"batch_size", Part::batch},
    {"world_size", Part::processes},
    {"dp_replicate_size", Part::replicas},
    {"dp_shard_size", Part::shards},
    {"ddp_timeout", Part::timeout},
    {"ddp_bucket_cap_mb", Part::bucket},
    {"ddp_broadcast_buffers", Part::broadcast_buffers},

    {"optimizer", Part::optimizer},
    {"learning_rate", Part::lr},
    {"weight_decay", Part::weight_decay},
    {"adam_beta1", Part::beta1},
    {"adam_beta2", Part::beta2},
    {"adam_epsilon", Part::epsilon},
    {"max_grad_norm", Part::clip_norm},

    {"lr_scheduler", Part::schedule},
    {"warmup_steps", Part::warmup_steps},
    {"warmup_ratio", Part::warmup_share},
    {"cosine_min_lr_ratio", Part::min_factor},
    {"cosine_constant_lr_ratio", Part::constant_from},
    {"lr_div_factor", Part::divisor},
    {"lr_scheduler_kwargs.num_cycles", Part::cycles},
    {"lr_scheduler_kwargs.min_lr", Part::min_lr},
    {"lr_scheduler_kwargs.lr_end", Part::min_lr},
    {"lr_scheduler_kwargs.min_lr_rate", Part::min_factor},
    {"lr_scheduler_kwargs.min_lr_ratio", Part::min_factor},
    {"lr_scheduler_kwargs.power", Part::power},
    {"lr_scheduler_kwargs.num_decay_steps", Part::decay_steps},
    {"lr_scheduler_kwargs.decay_type", Part::decay_shape},

    {"bf16", Part::bf16},
    {"bfloat16", Part::bf16},
    {"fp16", Part::fp16},
    {"float16", Part::fp16},
    {"tf32", Part::tf32},
    {"num_epochs", Part::epochs},
    {"max_steps", Part::steps},

    {"eval_strategy", Part::evaluate_when},
    {"evaluation_strategy", Part::evaluate_when},
    {"eval_steps", Part::evaluate_steps},
    {"evals_per_epoch", Part::evaluations_per_epoch},
    {"eval_batch_size", Part::evaluation_batch},
    {"metric_for_best_model", Part::best_metric},
    {"greater_is_better", Part::best_is_greater},
    {"load_best_model_at_end", Part::best_is_wanted},
    {"early_stopping_patience", Part::early_stopping},

    {"save_strategy", Part::save_when},
    {"save_steps", Part::save_steps},
    {"saves_per_epoch", Part::saves_per_epoch},
    {"save_total_limit", Part::keep},
    {"resume_from_checkpoint", Part::resume},
    {"auto_resume_from_checkpoints", Part::resume},
    {"logging_steps", Part::report_steps},
    {"use_tensorboard", Part::tensorboard},

    {"gradient_checkpointing", Part::recompute},
    {"fsdp", Part::sharding},
    {"profiler_steps_start", Part::profile_after},
    {"profiler_steps", Part::profile_steps},
};

constexpr Without kAxolotlWithout[] = {
    {true, "adapters: the weights themselves are trained, mostly with a smaller lr",
     "adapter lora_model_dir lora_r lora_alpha lora_fan_in_fan_out lora_target_modules "
     "lora_target_parameters lora_target_linear lora_modules_to_save lora_rank_pattern "
     "lora_alpha_pattern lora_dropout peft_layers_to_transform peft_layers_pattern peft peft.* "
     "peft_use_dora peft_use_rslora peft_use_relora peft_layer_replication "
     "peft_init_lora_weights peft_trainable_token_indices peft_ensure_weight_tying "
     "peft_autocast_adapter_dtype qlora_sharded_model_loading lora_on_cpu lora_out_dir "
     "loraplus_lr_ratio loraplus_lr_embedding merge_lora merge_method lora_mlp_kernel "
     "lora_qkv_kernel lora_o_kernel lora_embedding_kernel relora relora.* relora_steps "
     "relora_warmup_steps relora_prune_ratio relora_prune_method relora_cpu_offload "
     "lisa_n_layers lisa_step_interval lisa_layers_attribute mora mora.*"},
    {true, "numbers of fewer bits",
     "load_in_8bit load_in_4bit gptq gptq_groupsize gptq_model_v1 gptq_disable_exllama "
     "bnb_config_kwargs bnb_config_kwargs.* model_quantization_config "
     "model_quantization_config_kwargs model_quantization_config_kwargs.* use_onebitllms "
     "quantization quantization.* qat qat.* fp8 fp8_enable_fsdp_float8_all_gather "
     "llmcompressor.* quantize_moe_experts nvfp4_merge_aware nvfp4_merge_aware_start_step "
     "nonexpert_quantization load_in_8bit_fp32_cpu_offload"},
    {true, "no layer is cut over ranks: distributed.strategy cuts what each rank holds",
     "device_map tensor_parallel_size context_parallel_size sequence_parallel_degree "
     "heads_k_stride "
     "ring_attn_func expert_parallel_size expert_parallel_backend expert_parallel_num_nvl_bytes "
     "expert_parallel_num_rdma_bytes expert_parallel_token_capacity "
     "expert_parallel_fallback_on_unsupported"},
    {false, "both versions of FSDP compute the same", "fsdp_version"},
    {false, "a checkpoint loads into any strategy, and knead export writes whole weights",
     "fsdp_final_state_dict_type"},
    {true, "kernels are LibTorch's own: nothing is compiled by DeepSpeed", "deepcompile"},
    {true, "how batches are dealt out: batch.size is of all ranks, and each reads its share",
     "accelerator_config accelerator_config.*"},
    {true, "torchrun, srun or mpirun starts the ranks of several machines",
     "use_ray ray_run_name ray_num_workers resources_per_worker.*"},
    {false, "distributed.ranks says how many processes share each batch", "ddp"},
    {false, "a parameter without a gradient needs no search", "ddp_find_unused_parameters"},
    {false, "torchrun, srun or mpirun tells each rank which it is", "local_rank"},
    {true, "no file of this name is there: knead import reads one by itself too",
     "deepspeed fsdp_config"},
    {true, "memory: nothing is moved elsewhere; batch.micro and activation_checkpointing save it",
     "activation_offloading layer_offloading auto_find_batch_size max_memory max_memory.* "
     "gpu_memory_limit low_cpu_mem_usage experimental_skip_move_to_device"},
    {true, "activation_checkpointing names modules, not operations", "selective_checkpointing.*"},
    {true, "kernels are LibTorch's own",
     "attn_implementation flash_attention flash_attn_cross_entropy flash_attn_rms_norm "
     "flash_attn_fuse_mlp flash_attn_fuse_qkv flash_attn_d512 flash_optimum xformers_attention "
     "sdp_attention s2_attention flex_attention flex_attn_compile_kwargs.* sage_attention "
     "eager_attention sdpa_varlen large_head_attention fused_attn_kernel gemma4_hybrid_attn_impl "
     "use_kernels torch_compile torch_compile_backend torch_compile_mode torch_compile_options.* "
     "liger_rope liger_rms_norm liger_rms_norm_gated liger_layer_norm liger_swiglu "
     "liger_glu_activation liger_cross_entropy liger_fused_linear_cross_entropy "
     "liger_use_token_scaling chunked_cross_entropy chunked_cross_entropy_num_chunks "
     "cut_cross_entropy unsloth_cross_entropy_loss unsloth_lora_mlp unsloth_lora_qkv "
     "unsloth_lora_o unsloth_rms_norm unsloth_rope tiled_mlp tiled_mlp_num_shards "
     "tiled_mlp_use_original_mlp expert_backend experts_implementation moe_grouped_backend "
     "moe_dequant_chunk_size moe_bnb_fast use_scattermoe use_sonicmoe use_dsv4_kernels "
     "use_glm_dsa_kernels dsv4_fp8_nonexpert_mode dsv4_fp8_lora_kernel "
     "dsv4_shared_mlp_lora_kernel dsv4_bf16_all dsv4_fp4_grouped_mode gemma4_fp8_nonexpert "
     "gemma4_nf4_nonexpert dense_mixer"},
    {true, "the model is what its source says",
     "base_model_ignore_patterns is_falcon_derived_model is_llama_derived_model "
     "is_mistral_derived_model "
     "is_qwen_derived_model trust_remote_code resize_token_embeddings_to_32x "
     "mean_resizing_embeddings shrink_embeddings embeddings_skip_upcast reinit_weights "
     "rope_scaling rope_scaling.* scaling_softmax scaling_softmax_factor scaling_softmax_bias "
     "llama4_linearized_experts fix_untrained_tokens fp32_norms fp32_norm_classes float32 "
     "torch_dtype use_pose pose_split_on_token_ids pose_max_context_len pose_num_chunks "
     "image_size image_resize_algorithm role_boundaries processor_type processor_kwargs.* "
     "processor_config overrides_of_model_kwargs overrides_of_model_kwargs.* num_labels"},
    {true, "model.freeze names what stays as it is, not what is trained",
     "unfrozen_parameters freeze_mm_modules spectrum_top_fraction spectrum_model_name"},
    {true, "text is read as it is: prompts, masks and packing belong into the files",
     "train_on_inputs chat_template chat_template_jinja chat_template_kwargs "
     "chat_template_kwargs.* default_system_message eot_tokens special_tokens.* special_tokens "
     "tokens added_tokens_overrides.* dataset_prepared_path dataset_shard_num dataset_shard_idx "
     "num_dataset_shards_to_save shuffle_before_merging_datasets skip_prepare_dataset "
     "dataset_processes dataset_num_proc dataset_exact_deduplication dataset_keep_in_memory "
     "remove_unused_columns is_preprocess preprocess_iterable push_dataset_to_hub streaming "
     "streaming_multipack_buffer_size pretrain_multipack_buffer_size pretrain_multipack_attn "
     "pretraining_sample_concatenation excess_length_strategy min_sample_len max_prompt_len "
     "eval_sequence_len total_num_tokens total_supervised_tokens group_by_length "
     "pad_to_multiple_of tokenizer_use_fast tokenizer_legacy tokenizer_use_mistral_common "
     "tokenizer_save_jinja_files accelerate_dataloader_config"},
    {true, "other aims than the next token",
     "trl trl.* vllm vllm.* ebft ebft.* "
     "center_rewards_coefficient dpo_use_weighting dpo_label_smoothing precompute_ref_log_probs "
     "dpo_use_liger_kernel dpo_padding_free dpo_loss_type dpo_loss_weights dpo_beta "
     "dpo_use_logits_to_keep dpo_generate_during_eval dpo_norm_loss rpo_alpha orpo_alpha "
     "simpo_gamma cpo_alpha kto_desirable_weight kto_undesirable_weight rl_beta "
     "rl_adapter_ref_model use_eaft eaft_alpha eaft_k kd_trainer kd_ce_alpha kd_alpha "
     "kd_temperature kd_beta kd_normalize_topk kd_online_server_base_url kd_online_topk "
     "kd_online_server kd_online_timeout kd_temperature_min diffusion diffusion.* hatchery.* "
     "nemo_gym_*"},
    {true, "the model has to do it itself",
     "neftune_noise_alpha noisy_embedding_alpha grokfast_alpha grokfast_lamb"},
    {true, "groups of parameters: optimizer.groups has them by the names of your model",
     "lr_groups embedding_lr embedding_lr_scale"},
    {true, "write them under optimizer, where they are options of it", "optim_args optim_args.*"},
    {true, "optimizers that knead has not",
     "optim_target_modules torchdistx_path adam_epsilon2 adam_beta3 "
     "dion_lr dion_momentum dion_rank_fraction dion_rank_multiple_of qgalore_*"},
    {true, "shapes that no schedule of knead has",
     "lr_quadratic_warmup jagged_restart_steps jagged_restart_warmup_steps "
     "jagged_restart_anneal_steps lr_scheduler_kwargs lr_scheduler_kwargs.* log_sweep_min_lr "
     "log_sweep_max_lr"},
    {true, "a watch on the loss: early_stopping and non_finite end a run",
     "loss_watchdog_threshold loss_watchdog_patience"},
    {true, "where else numbers and weights go",
     "wandb_project wandb_entity wandb_watch wandb_log_model wandb_mode wandb_run_id use_wandb "
     "use_mlflow mlflow_tracking_uri mlflow_experiment_name hf_mlflow_log_artifacts use_comet "
     "comet_api_key comet_workspace comet_project_name comet_experiment_key comet_mode "
     "comet_online comet_experiment_config.* use_trackio trackio_project_name trackio_space_id "
     "use_otel_metrics otel_metrics_host otel_metrics_port use_swanlab swanlab_project "
     "swanlab_description swanlab_mode swanlab_workspace swanlab_api_key swanlab_log_model "
     "swanlab_web_host swanlab_api_host swanlab_lark_webhook_url swanlab_lark_secret "
     "swanlab_log_completions swanlab_completion_log_interval swanlab_completion_max_buffer "
     "hub_model_id hub_strategy hub_revision push_to_hub hf_use_auth_token gradio_*"},
    {true, "what evaluations do besides",
     "do_causal_lm_eval eval_causal_lm_metrics do_bench_eval bench_dataset bench_split "
     "eval_sample_packing eval_table_size eval_table_max_new_tokens eval_max_new_tokens "
     "generate_samples "
     "num_generation_samples generation_max_new_tokens generation_temperature generation_top_p "
     "generation_top_k generation_prompt_ratio generation_do_sample lm_eval_tasks "
     "lm_eval_batch_size lm_eval_post_train lm_eval_model"},
    {true, "parts of theirs",
     "plugins plugins.* trainer_cls strict secrets axolotl_config_path debug "
     "dynamic_checkpoint.* save_first_step include_tkps"},
    {false, "a sample is a full window of tokens",
     "sample_packing sample_packing_group_size sample_packing_bin_size "
     "sample_packing_sequentially sample_packing_mp_start_method sample_packing_eff_est "
     "sample_packing_seq_len_multiplier multipack_real_batches batch_flattening "
     "pad_to_sequence_len max_packed_sequence_len"},
    {false, "weights are safetensors, and a checkpoint holds all that a run goes on from",
     "save_safetensors save_only_model"},
    {false, "samples and tokens per second are always reported", "include_tokens_per_second"},
    {false, "batches are read ahead by threads", "dataloader_pin_memory"},
    {false, "how memory is freed changes no numbers",
     "gradient_checkpointing_kwargs gradient_checkpointing_kwargs.* gc_steps gc_collect_steps "
     "torch_empty_cache_steps"},
};

// Without a key, axolotl warms up over 3% of the run and at most 100 steps; the comment of
// schedule.warmup adds the limit.
constexpr Habit kAxolotlHabits[] = {
    {"micro_batch_size", "1"}, {"optimizer", "adamw_torch_fused"},
    {"weight_decay", "0.0"},   {"adam_beta1", "0.9"},
    {"adam_beta2", "0.999"},   {"adam_epsilon", "1e-8"},
    {"max_grad_norm", "1.0"},  {"lr_scheduler", "cosine"},
    {"num_epochs", "1"},       {"save_strategy", "epoch"},
    {"save_total_limit", "4"}, {"seed", "42"},
    {"warmup_ratio", "0.03"},  {"val_set_size", "0"},
};

constexpr Mount kAxolotlMounts[] = {
    {"fsdp_config", &kFsdp},
    {"deepspeed", &kDeepspeed},
};

}  // namespace

const Peer kAxolotl{
    .name = "axolotl",
    .title = "axolotl",
    .counterparts = kAxolotlCounterparts,
    .without = kAxolotlWithout,
    .habits = kAxolotlHabits,
    .needs = "base_model",
    .marks =
        "datasets pretraining_dataset micro_batch_size sequence_len val_set_size num_epochs "
        "lr_scheduler adapter lora_r sample_packing dataset_prepared_path output_dir "
        "gradient_accumulation_steps learning_rate chat_template rl",
    .fewest = 1,
    .trains_language_models = true,
    .spares_norms = true,
    .warms_up_from_zero = true,
    .drops_last = false,
    .mounts = kAxolotlMounts,
};

}  // namespace knead::peers
