#include "runner/peers/peer.h"

// Sources: transformers 4.30.2, 4.46.3, 4.57.1 and 5.0.0: training_args.py,
// training_args_seq2seq.py and optimization.py, and the arguments of the example scripts.

namespace knead::peers {
namespace {

constexpr Counterpart kTransformersCounterparts[] = {
    {"model_name_or_path", Part::model},
    {"config_name", Part::model},
    {"config_overrides", Part::model},
    {"model_type", Part::model},
    {"model_revision", Part::model},
    {"tokenizer_name", Part::tokenizer},
    {"tokenizer_name_or_path", Part::tokenizer},
    {"use_fast_tokenizer", Part::tokenizer},
    {"dataset_name", Part::dataset},
    {"dataset_config_name", Part::dataset},
    {"dataset_train_split", Part::dataset},
    {"dataset", Part::dataset},
    {"task_name", Part::dataset},
    {"dataset_mixer", Part::dataset},
    {"dataset_mixture", Part::dataset},
    {"text_column", Part::dataset},
    {"text_column_name", Part::dataset},
    {"label_column_name", Part::dataset},
    {"train_dir", Part::dataset},
    {"validation_dir", Part::validation_dataset},
    {"eval_dataset", Part::validation_dataset},
    {"dataset_test_split", Part::validation_dataset},
    {"train_file", Part::train_file},
    {"validation_file", Part::validation_file},
    {"test_file", Part::test_file},
    {"validation_split_percentage", Part::validation_percent},
    {"train_val_split", Part::validation_share},
    {"val_size", Part::validation_share},
    {"max_seq_length", Part::context},
    {"block_size", Part::context},
    {"max_length", Part::context},
    {"model_max_length", Part::context},
    {"cutoff_len", Part::context},

    {"run_name", Part::run_name},
    {"output_dir", Part::output_folder},
    {"seed", Part::seed},
    {"use_cpu", Part::cpu},
    {"no_cuda", Part::cpu},
    {"full_determinism", Part::deterministic},
    {"dataloader_drop_last", Part::drop_last},
    {"dataloader_num_workers", Part::workers},
    {"dataloader_prefetch_factor", Part::prefetch_per_worker},
    {"label_smoothing_factor", Part::label_smoothing},
    {"label_smoothing", Part::label_smoothing},
    {"label_names", Part::target},

    {"per_device_train_batch_size", Part::rank_batch},
    {"per_gpu_train_batch_size", Part::rank_batch},
    {"gradient_accumulation_steps", Part::accumulation},
    {"_n_gpu", Part::processes},
    {"n_gpu", Part::processes},
    {"world_size", Part::processes},
    {"ddp_backend", Part::backend},
    {"xpu_backend", Part::backend},
    {"ddp_timeout", Part::timeout},
    {"ddp_bucket_cap_mb", Part::bucket},
    {"ddp_broadcast_buffers", Part::broadcast_buffers},

    {"optim", Part::optimizer},
    {"adafactor", Part::wants_adafactor},
    {"learning_rate", Part::lr},
    {"weight_decay", Part::weight_decay},
    {"adam_beta1", Part::beta1},
    {"adam_beta2", Part::beta2},
    {"adam_epsilon", Part::epsilon},
    {"max_grad_norm", Part::clip_norm},

    {"lr_scheduler_type", Part::schedule},
    {"warmup_steps", Part::warmup_steps},
    {"warmup_ratio", Part::warmup_share},
    {"lr_scheduler_kwargs.num_cycles", Part::cycles},
    {"lr_scheduler_kwargs.min_lr", Part::min_lr},
    {"lr_scheduler_kwargs.lr_end", Part::min_lr},
    {"lr_scheduler_kwargs.min_lr_rate", Part::min_factor},
    {"lr_scheduler_kwargs.min_lr_ratio", Part::min_factor},
    {"lr_scheduler_kwargs.power", Part::power},
    {"lr_scheduler_kwargs.num_decay_steps", Part::decay_steps},
    {"lr_scheduler_kwargs.decay_type", Part::decay_shape},
    {"lr_scheduler_kwargs.factor", Part::gamma},
    {"lr_scheduler_kwargs.patience", Part::patience},

    {"bf16", Part::bf16},
    {"fp16", Part::fp16},
    {"tf32", Part::tf32},
    {"num_train_epochs", Part::epochs},
    {"max_steps", Part::steps},

    {"eval_strategy", Part::evaluate_when},
    {"evaluation_strategy", Part::evaluate_when},
    {"evaluate_during_training", Part::evaluate_when},
    {"eval_steps", Part::evaluate_steps},
    {"eval_on_start", Part::evaluate_at_start},
    {"per_device_eval_batch_size", Part::evaluation_batch},
    {"per_gpu_eval_batch_size", Part::evaluation_batch},
    {"metric_for_best_model", Part::best_metric},
    {"greater_is_better", Part::best_is_greater},
    {"load_best_model_at_end", Part::best_is_wanted},
    {"early_stopping_patience", Part::early_stopping},
    {"early_stopping_threshold", Part::early_stopping_delta},

    {"save_strategy", Part::save_when},
    {"save_steps", Part::save_steps},
    {"save_total_limit", Part::keep},
    {"resume_from_checkpoint", Part::resume},
    {"logging_strategy", Part::report_when},
    {"logging_steps", Part::report_steps},
    {"report_to", Part::report_to},

    {"gradient_checkpointing", Part::recompute},
    {"fsdp", Part::sharding},
    {"parallelism_config.dp_replicate_size", Part::replicas},
    {"parallelism_config.dp_shard_size", Part::shards},
};

constexpr Without kTransformersWithout[] = {
    {false, "zero3 gathers the children of the largest ModuleList; distributed.units says others",
     "fsdp_min_num_params fsdp_transformer_layer_cls_to_wrap"},
    {true, "no layer is cut over ranks: distributed.strategy cuts what each rank holds",
     "parallelism_config.* mp_parameters"},
    {true, "fairscale: distributed.strategy has zero2 and zero3", "sharded_ddp"},
    {true, "how batches are dealt out: batch.size is of all ranks, and each reads its share",
     "accelerator_config accelerator_config.* dispatch_batches split_batches"},
    {true, "knead trains on CPUs and CUDA",
     "tpu_num_cores tpu_metrics_debug use_mps_device device=cpu"},
    {false, "a parameter without a gradient needs no search", "ddp_find_unused_parameters"},
    {false, "torchrun, srun or mpirun tells each rank which it is", "local_rank"},
    {false, "rank 0 writes the folder of the run, each rank its own log",
     "save_on_each_node log_on_each_node=true log_level_replica=warning"},
    {true, "no file of this name is there: knead import reads one by itself too",
     "deepspeed fsdp_config"},
    {true, "memory: nothing is moved elsewhere; batch.micro and activation_checkpointing save it",
     "activation_offloading auto_find_batch_size"},
    {true, "kernels are LibTorch's own",
     "torch_compile torch_compile_backend torch_compile_mode torchdynamo use_liger_kernel "
     "use_liger liger_kernel_config liger_kernel_config.* use_ipex jit_mode_eval "
     "fp16_opt_level=O1 half_precision_backend=auto fp16_backend=auto use_cache "
     "attn_implementation use_flash_attention_2 flash_attn"},
    {true, "an evaluation computes in the numbers of the training",
     "bf16_full_eval fp16_full_eval"},
    {true, "nothing is published",
     "push_to_hub hub_model_id hub_strategy=every_save hub_token hub_private_repo hub_always_push "
     "hub_revision push_to_hub_model_id push_to_hub_organization push_to_hub_token "
     "project=huggingface trackio_space_id=trackio use_auth_token token cache_dir"},
    {true, "batches of samples of similar length", "group_by_length length_column_name=length"},
    {true, "the model has to do it itself", "neftune_noise_alpha past_index"},
    {true, "evaluations begin with the first interval", "eval_delay=0"},
    {true, "write them under optimizer, where they are options of it", "optim_args"},
    {true, "projections of gradients", "optim_target_modules"},
    {true, "the other options of a schedule", "lr_scheduler_kwargs lr_scheduler_kwargs.*"},
    {true, "text is not generated while training goes on",
     "predict_with_generate generation_max_length generation_num_beams generation_config "
     "num_beams sortish_sampler val_max_target_length"},
    {true, "one seed for everything", "data_seed"},
    {true, "adapters: the weights themselves are trained, mostly with a smaller lr",
     "use_peft use_lora lora_r lora_alpha lora_dropout lora_rank lora_target lora_target_modules "
     "lora_task_type lora_bias lora_weight_path use_dora use_rslora load_in_8bit load_in_4bit "
     "bnb_4bit_quant_type use_bnb_nested_quant bits double_quant quant_type q_lora"},
    {true, "other aims than a loss on given targets",
     "beta loss_type max_prompt_length max_completion_length num_generations stage rl "
     "finetuning_type temperature reward_model"},
    {true, "data is what its files hold, in a form that models take",
     "preprocessing_num_workers overwrite_cache pad_to_max_length max_train_samples "
     "max_eval_samples max_val_samples max_predict_samples max_target_length source_lang "
     "target_lang source_prefix ignore_pad_token_for_loss streaming packing dataset_text_field "
     "dataset_num_proc dataset_kwargs dataset_kwargs.* "
     "dataset_splits chat_template template line_by_line mlm_probability keep_linebreaks "
     "max_answer_length doc_stride version_2_with_negative n_best_size preprocessing dataset_dir "
     "completion_only_loss assistant_only_loss max_samples "
     "eos_token pad_token packing_strategy padding_free eval_packing chat_template_path "
     "train_on_inputs tokenize_num_workers"},
    {true, "weights are kept in fp32; precision.compute says what is computed in",
     "torch_dtype dtype"},
    {true, "model.weights takes what fits with strict: false", "ignore_mismatched_sizes"},
    {true, "the model is what its source says",
     "trust_remote_code low_cpu_mem_usage model_init_kwargs model_init_kwargs.*"},
    {true, "what machines and other programs of theirs are told",
     "debug ray_scope=last log_level=passive skip_memory_metrics=true "
     "use_legacy_prediction_loop enable_jit_checkpoint logging_nan_inf_filter=true "
     "logging_first_step disable_tqdm"},
    {false, "a step is the mean over all its items, whatever the micro-batches and processes",
     "average_tokens_across_devices"},
    {false, "how memory is freed changes no numbers",
     "torch_empty_cache_steps gradient_checkpointing_kwargs gradient_checkpointing_kwargs.*"},
    {false, "a run goes on exactly where it stopped",
     "ignore_data_skip restore_callback_states_from_checkpoint save_only_model"},
    {false, "knead run --fresh starts over", "overwrite_output_dir"},
    {false, "a batch has the fields that data names", "remove_unused_columns=true"},
    {false, "weights are safetensors", "save_safetensors=true"},
    {false, "batches are read ahead by threads",
     "dataloader_pin_memory=true dataloader_persistent_workers"},
    {false, "knead run trains, knead evaluate evaluates, knead predict predicts",
     "do_train do_eval do_predict prediction_loss_only"},
    {false, "tensorboard's files lie in the folder of the run", "logging_dir plot_loss"},
    {false, "metrics are counted as the set is read: nothing is collected",
     "eval_accumulation_steps eval_do_concat_batches=true batch_eval_metrics "
     "include_inputs_for_metrics include_for_metrics eval_use_gather_object"},
    {false, "samples and tokens per second are always reported",
     "include_tokens_per_second include_num_input_tokens_seen=no"},
};

constexpr Habit kTransformersHabits[] = {
    {"seed", "42"},
    {"per_device_train_batch_size", "8"},
    {"optim", "adamw_torch"},
    {"learning_rate", "5e-5"},
    {"weight_decay", "0.0"},
    {"adam_beta1", "0.9"},
    {"adam_beta2", "0.999"},
    {"adam_epsilon", "1e-8"},
    {"max_grad_norm", "1.0"},
    {"lr_scheduler_type", "linear"},
    {"num_train_epochs", "3"},
    {"save_strategy", "steps"},
    {"save_steps", "500"},
    {"logging_strategy", "steps"},
    {"logging_steps", "500"},
    {"eval_strategy", "no"},
};

constexpr Mount kTransformersMounts[] = {
    {"fsdp_config", &kFsdp},
    {"deepspeed", &kDeepspeed},
};

}  // namespace

const Peer kTransformers{
    .name = "transformers",
    .title = "Hugging Face's TrainingArguments",
    .counterparts = kTransformersCounterparts,
    .without = kTransformersWithout,
    .habits = kTransformersHabits,
    // Files of training arguments come from many scripts and share no key; two typical keys
    // identify them.
    .needs = "",
    .marks =
        "per_device_train_batch_size per_gpu_train_batch_size per_device_eval_batch_size "
        "num_train_epochs lr_scheduler_type model_name_or_path save_total_limit "
        "save_strategy eval_strategy evaluation_strategy logging_strategy logging_steps "
        "load_best_model_at_end metric_for_best_model warmup_ratio adam_epsilon adam_beta1 "
        "max_grad_norm overwrite_output_dir report_to dataloader_num_workers "
        "dataloader_drop_last remove_unused_columns label_smoothing_factor do_train do_eval "
        "gradient_checkpointing_kwargs optim",
    .fewest = 2,
    .trains_language_models = false,
    .spares_norms = true,
    .warms_up_from_zero = true,
    .drops_last = false,
    .mounts = kTransformersMounts,
};

}  // namespace knead::peers
