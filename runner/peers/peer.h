#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace knead::peers {

/// The meaning of a key, independent of its name in a trainer. A comment behind a part says what
/// values its keys have; parts without one have the values that their names suggest, such as a
/// number of steps, a path or a switch.
enum class Part : std::uint8_t {
  // model and data, which a recipe names in another way
  model,
  tokenizer,
  dataset,
  validation_dataset,
  // the run
  run_name,
  output_folder,
  seed,
  cpu,            // a boolean: not on a GPU
  device,         // a name
  deterministic,  // a boolean
  threads,        // of one process, for operations
  // data
  train_file,
  validation_file,
  test_file,
  validation_share,    // 0.05, or a number of samples
  validation_percent,  // 5
  context,             // tokens of a sample
  in_order,            // a boolean: not shuffled
  shuffle,
  drop_last,
  workers,              // threads or processes that read
  prefetch_per_worker,  // batches
  // loss
  loss,
  other_aim,  // a training objective without a loss on given targets
  label_smoothing,
  target,  // a name, or a list of names
  // batch
  rank_batch,    // samples of one process in one micro-batch
  batch,         // samples of one process in one step
  global_batch,  // samples of all processes in one step
  accumulation,
  // processes
  processes,  // on all machines together
  machines,
  replicas,           // groups of processes of which each holds the whole model
  shards,             // processes of one such group, which take batches of their own
  distributed_type,   // a name
  backend,            // a name: what carries tensors between processes
  timeout,            // seconds
  zero_stage,         // 0 to 3, as in ZeRO
  sharding,           // FSDP's strategy: a name, a number, or words of which one is a name
  reshard,            // a boolean of FSDP 2, or a name of FSDP's strategy
  offload_device,     // where the optimizer's state is kept: none, cpu, nvme
  offload_path,       // a folder
  parameters_device,  // the same two of the parameters
  parameters_path,
  offload_all,        // a boolean: parameters, gradients and the optimizer's state
  bucket,             // MiB
  bucket_numbers,     // a count of numbers
  sent_dtype,         // a name: what gradients are sent in
  broadcast_buffers,  // a boolean
  // optimizer
  optimizer,
  wants_adafactor,  // a boolean that overrides `optimizer`
  lr,
  beta1,
  beta2,
  epsilon,
  weight_decay,
  decoupled_decay,   // a boolean: what is called Adam is AdamW
  optimizer_option,  // the last name is torch's
  // schedule
  schedule,
  warmup_steps,  // a value below 1 is a share
  warmup_share,
  warmup_shape,    // log, linear
  schedule_steps,  // length of the schedule
  cycles,          // of a cosine
  min_lr,          // the lowest lr
  min_factor,      // the lowest lr, as a share of lr
  power,
  constant_from,  // share of the run after which lr is constant
  decay_steps,    // of the decay of wsd
  decay_shape,    // a name, of the decay of wsd
  gamma,          // what lr is multiplied by
  patience,       // as torch counts: evaluations without progress
  step_size,
  divisor,  // one_cycle: the first lr is lr / divisor
  clip_norm,
  // precision
  bf16,
  fp16,
  tf32,
  precision,            // a name
  weight_dtype,         // of all numbers, including weights
  fixed_loss_scale,     // 0: it changes
  loss_scale_power,     // the first factor is 2 to its power
  loss_scale_interval,  // steps
  // how long
  epochs,
  steps,
  steps_per_epoch,  // at most this many of an epoch
  // evaluations
  evaluate_when,   // no, steps, epoch
  evaluate_steps,  // a value below 1 is a share
  evaluations_per_epoch,
  evaluate_at_start,
  evaluation_batch,  // samples of one process
  best_metric,       // a name
  best_is_greater,
  best_is_wanted,
  early_stopping,  // evaluations without progress
  early_stopping_delta,
  // checkpoints and reports
  save_when,   // no, steps, epoch, best
  save_steps,  // a value below 1 is a share
  saves_per_epoch,
  save_epochs,
  keep,          // number of checkpoints
  resume,        // a boolean, or the path of a checkpoint
  report_when,   // no, steps, epoch
  report_steps,  // a value below 1 is a share
  report_to,     // a name, or a list of names
  tensorboard,   // a boolean
  // memory and time
  recompute,        // a boolean or a word: activation checkpointing
  profile_enabled,  // a boolean
  profile_after,    // steps before the profile; several are added up
  profile_steps,    // number of profiled steps
};

/// A key that a recipe can express. Several keys may have the same part: the first one in the table
/// of a trainer that a file gives a value has precedence.
struct Counterpart {
  /// The key, dotted: "fsdp_config.activation_checkpointing". A `*` at the end matches any rest.
  std::string_view theirs;
  Part part;
};

/// Keys that a recipe cannot or need not express, with the reason that the comments of an imported
/// recipe give for them.
struct Without {
  /// True if the meaning of the keys is lost; false if knead does what they say without a key.
  bool is_needed;
  /// The reason, which follows "no counterpart: " or "needs no key: ".
  std::string_view reason;
  /// The keys, separated by blanks. `key=value` gives the default value of a key: a key that a file
  /// sets to its default is only listed as off. A `*` at the end matches any rest.
  std::string_view theirs;
};

/// A default of another trainer that a recipe must state, because knead has another default or
/// none.
struct Habit {
  /// The key, dotted. It stands in the counterparts of the trainer.
  std::string_view theirs;
  /// The value as plain YAML: "5e-5".
  std::string_view value;
};

struct Peer;

/// A block of a trainer's files that is a configuration of another program, or a key that names the
/// file of one.
struct Mount {
  /// The key, dotted: "deepspeed".
  std::string_view theirs;
  /// The program whose keys stand below it.
  const Peer* peer;
};

/// Another trainer, described by its configuration files. The translation asks for parts and for
/// the traits below, and only rarely for a trainer by name. All views have static lifetime.
struct Peer {
  /// Value of --from: "transformers". Names are distinct.
  std::string_view name;
  /// Name of the trainer in messages and comments: "Accelerate".
  std::string_view title;
  /// Keys with a counterpart, in order of precedence among keys of one part.
  std::span<const Counterpart> counterparts;
  /// Keys without a counterpart. If a key fits in both tables, the longer name decides and, of
  /// equals, this table.
  std::span<const Without> without;
  /// Defaults that apply if a file has no key for their part.
  std::span<const Habit> habits;
  /// Keys of which a file of this trainer has at least one, separated by blanks; '*' matches any
  /// one name. Empty: none is needed.
  std::string_view needs;
  /// Keys that identify its files, in the same form. A file has at least `fewest` of them, or one
  /// if the trainer knows all of its keys.
  std::string_view marks;
  std::size_t fewest;
  /// The trainer trains nothing but language models, so that data is text and the loss is the cross
  /// entropy of the next token unless its keys say otherwise.
  bool trains_language_models;
  /// The trainer has no weight decay for biases and norms.
  bool spares_norms;
  /// The first update of its warm-ups has lr 0, where knead's has lr / warm-up steps.
  bool warms_up_from_zero;
  /// The trainer always drops the last, smaller batch of an epoch.
  bool drops_last;
  /// A value "auto" is left to the script that the trainer runs in.
  bool leaves_auto_open = false;
  /// Blocks with the keys of other programs. They are searched after the trainer's own tables.
  std::span<const Mount> mounts{};
};

/// The tables of the trainers, each in a source of its own that names the version it was taken
/// from.
extern const Peer kAccelerate;
extern const Peer kTransformers;
extern const Peer kAxolotl;
extern const Peer kTorchtune;
extern const Peer kDeepspeed;

/// Describes PyTorch's FSDP, whose options are a block in the files of several trainers. It is not
/// one of peers().
extern const Peer kFsdp;

/// Returns all known trainers. The span has static lifetime.
std::span<const Peer* const> peers();

}  // namespace knead::peers
