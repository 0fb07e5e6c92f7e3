#include "runner/peers/strangers.h"

#include <algorithm>

namespace knead::peers {
namespace {

// Collected in 2026 from the configurations that these projects publish. The first match counts, so
// a program that is built on another one stands before it.
constexpr Stranger kStrangers[] = {
    {"Ludwig",
     "input_features output_features | input_features combiner | "
     "output_features combiner"},
    {"mergekit", "merge_method models | merge_method slices | merge_method modules"},
    {"AutoTrain", "task base_model project_name params | project_name backend params"},
    {"LLM Foundry",
     "max_duration train_loader | device_train_microbatch_size train_loader | "
     "max_duration eval_loader | parameters.train_loader | icl_tasks models"},
    {"OLMo", "save_num_unsharded_checkpoints_to_keep | device_train_microbatch_size save_folder"},
    {"LitGPT",
     "train.global_batch_size train.micro_batch_size | checkpoint_dir train.max_seq_length "
     "| train.global_batch_size eval.max_new_tokens"},
    {"NeMo RL", "policy cluster checkpointing | grpo.num_prompts_per_step | policy.dtensor_cfg"},
    {"NeMo",
     "exp_manager | trainer model.train_ds | model.train_ds model.optim | "
     "trainer.devices model.tokenizer model.data | trainer data model._target_ | "
     "trainer model.restore_from_path"},
    {"GPT-NeoX",
     "pipe_parallel_size | pipe-parallel-size | model-parallel-size num-layers | "
     "attention-config | attention_config | "
     "tokenizer_type data_path vocab_file | tokenizer-type data-path vocab-file"},
    {"Megatron-LM",
     "MODEL_ARGS | tensor-model-parallel-size | tensor_model_parallel_size num_layers"},
    {"nanotron", "parallelism tokens general | parallelism data_stages | tokens data_stages"},
    {"torchtitan",
     "job.dump_folder | training.local_batch_size | metrics.log_freq parallelism | "
     "model.flavor training.seq_len"},
    {"verl", "actor_rollout_ref | data.train_batch_size trainer.project_name"},
    {"trlX", "train.pipeline | train.trainer method.name"},
    {"H2O LLM Studio", "architecture.backbone_dtype | llm_backbone"},
    {"ms-swift", "tuner_type | rlhf_type | split_dataset_ratio | train_type model torch_dtype"},
    {"AI Toolkit", "job config.process | job=extension config"},
    {"kohya's sd-scripts",
     "network_module | network_dim | caption_extension | train_data_dir resolution | "
     "*.network_module | *.network_dim | *.caption_extension"},
    {"latent-diffusion", "model.target model.params | model.base_learning_rate"},
    {"OpenMMLab's MMEngine",
     "default_hooks | optim_wrapper | train_cfg | val_evaluator | "
     "_base_ | optimizer_config lr_config | "
     "log_config checkpoint_config"},
    {"Detectron2",
     "MODEL.META_ARCHITECTURE | SOLVER.BASE_LR | SOLVER.IMS_PER_BATCH | SOLVER | "
     "_BASE_ MODEL | train.init_checkpoint | dataloader lr_multiplier | "
     "DATASETS.TRAIN MODEL"},
    {"PaddlePaddle",
     "TrainReader | OptimizerBuilder | snapshot_epoch | "
     "pretrain_weights architecture | LearningRate | _BASE_ weights | "
     "_BASE_ pretrain_weights | TrainDataset | "
     "Global.epoch_num | Global.epochs | metric=COCO num_classes"},
    {"VISSL", "config.MODEL | config.OPTIMIZER | config.DATA | config.TRAINER"},
    {"DINOv2", "student.arch | dino ibot | student crops | student.block_chunks"},
    {"BasicSR", "network_g"},
    {"Ultralytics YOLO",
     "task mode imgsz | mode=train imgsz | lr0 lrf | imgsz epochs | "
     "nc backbone head | names nc train | names train val path"},
    {"timm", "sched cooldown_epochs | sched drop_path | aa reprob sched | opt sched smoothing"},
    {"OpenCLIP", "train_num_samples dataset_type | imagenet_val lr | vision_cfg text_cfg"},
    {"fairseq",
     "task criterion optimization | common distributed_training optimization | "
     "task._name | common_eval decoding | fairseq.task | fairseq.optimization | "
     "task optimization model | task_type fairseq"},
    {"fairseq2",
     "regime dataset | regime optimizer | gang model | regime model | "
     "dataset.family model.arch | model.arch trainer"},
    {"OpenNMT", "save_checkpoint_steps | train_steps valid_steps | data.corpus_1 | gpu_ranks"},
    {"Joey NMT", "joeynmt_version | data.src training.model_dir"},
    {"Marian", "mini-batch | dim-emb | learn-rate | train-sets vocabs"},
    {"SpeechBrain", "!new | __set_seed | epoch_counter modules | checkpointer epoch_counter"},
    {"WeNet", "dataset_conf optim_conf | dataset_conf encoder_conf"},
    {"ESPnet",
     "optim_conf max_epoch | frontend_conf encoder_conf | encoder_conf decoder_conf | "
     "batch_bins optim"},
    {"VITS", "train.segment_size data.sampling_rate | model.inter_channels data.hop_length"},
    {"Coqui TTS", "audio.num_mels | num_mels hop_length run_name | audio.fft_size"},
    {"AllenNLP",
     "dataset_reader model | dataset_reader trainer | train_data_path data_loader | "
     "train_data_path trainer"},
    {"spaCy", "nlp components training | nlp training | components.*.factory"},
    {"RecBole", "load_col | USER_ID_FIELD | train_neg_sample_args | eval_args topk"},
    {"RL Baselines3 Zoo", "*.n_timesteps *.policy"},
    {"MONAI", "bundle_root | network_def imports | _meta_ | dataset_dir network_def"},
    {"Catalyst", "runner._target_ | stages args.logdir | runner run"},
    {"pytorch-template", "arch.type data_loader.type"},
    {"TensorFlow Model Garden",
     "task.train_data trainer.train_steps | trainer.optimizer_config | "
     "runtime.distribution_strategy"},
    {"Determined",
     "searcher entrypoint | searcher hyperparameters | searcher resources | "
     "entrypoint resources max_restarts | min_validation_period searcher"},
    {"NNI", "trialConcurrency | trialCommand | searchSpaceFile"},
    {"Lightning",
     "model.class_path | data.class_path | seed_everything trainer | "
     "trainer.max_epochs trainer.accelerator | trainer.max_epochs model | "
     "trainer.accelerator model | trainer.class_path"},
    {"Hydra",
     "hydra.run | hydra.job | hydra.sweep | hydra.launcher | defaults hydra | "
     "_target_ | *._target_ | *.*._target_"},
    {"Weights & Biases", "method parameters | wandb_version | _wandb"},
    {"Keras", "class_name config | class_name keras_version | config.layers", "a model of "},
    {"Hugging Face's Trainer", "log_history global_step", "the state of a run of "},
    {"Hugging Face",
     "architectures | model_type hidden_size | model_type vocab_size | "
     "hidden_size num_hidden_layers num_attention_heads",
     "a description of a model of "},
    {"PEFT", "peft_type", "a description of an adapter of "},
    {"Kubernetes", "apiVersion kind"},
};

/// Removes and returns the text before a separator; the separator is removed too.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

/// Returns the first key of an alternative if all of its keys are present.
Named by_way(const Outline& outline, std::string_view way) {
  Named named;
  while (!way.empty()) {
    std::string_view mark = take(way, ' ');
    if (mark.empty()) continue;
    const bool wants_text = mark.find('=') != mark.npos;
    const std::string_view key = take(mark, '=');
    const Seen* seen = outline.find(key);
    if (!seen || (wants_text && seen->text != mark)) return {};
    // Messages name one key only; the first of an alternative is the most typical one.
    if (named.key.empty()) named = {nullptr, seen->path, seen->line};
  }
  return named;
}

}  // namespace

std::span<const Stranger> strangers() { return kStrangers; }

Named stranger_of(const Outline& outline) {
  for (const Stranger& stranger : kStrangers) {
    for (std::string_view ways = stranger.marks; !ways.empty();) {
      Named named = by_way(outline, take(ways, '|'));
      if (named.key.empty()) continue;
      named.stranger = &stranger;
      return named;
    }
  }
  return {};
}

}  // namespace knead::peers
