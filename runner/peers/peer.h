#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace knead::peers {

/// The meaning of a key, independent of its name in a trainer.
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
  // data
  train_file,
  validation_file,
  test_file,
  validation_share,    // 0.05, or a number of samples
  validation_percent,  // 5
  context,
  in_order,  // a boolean: not shuffled
  shuffle,
  drop_last,
  workers,
  prefetch_per_worker,
  // loss
  loss,
  other_aim,  // a training objective without a loss on given targets
  label_smoothing,
  target,  // a name, or a list of names
  // batch
  rank_batch,  // samples of one process in one micro-batch
  batch,       // samples of one process in one step
  accumulation,
  processes,
  // optimizer
  optimizer,
  wants_adafactor,  // a boolean that overrides `optimizer`
  lr,
  beta1,
  beta2,
  epsilon,
  weight_decay,
  optimizer_option,  // the last name is torch's
  // schedule
  schedule,
  warmup_steps,  // a value below 1 is a share
  warmup_share,
  cycles,
  min_lr,
  min_factor,
  power,
  constant_from,  // share of the run after which lr is constant
  decay_steps,
  decay_shape,
  gamma,
  patience,  // as torch counts: evaluations without progress
  step_size,
  divisor,  // one_cycle: the first lr is lr / divisor
  clip_norm,
  // precision
  bf16,
  fp16,
  tf32,
  precision,     // a name
  weight_dtype,  // of all numbers, including weights
  // how long
  epochs,
  steps,
  steps_per_epoch,
  // evaluations
  evaluate_when,  // no, steps, epoch
  evaluate_steps,
  evaluations_per_epoch,
  evaluate_at_start,
  evaluation_batch,
  best_metric,
  best_is_greater,
  best_is_wanted,
  early_stopping,
  early_stopping_delta,
  // checkpoints and reports
  save_when,  // no, steps, epoch, best
  save_steps,
  saves_per_epoch,
  save_epochs,
  keep,
  resume,
  report_when,  // no, steps, epoch
  report_steps,
  report_to,
  tensorboard,  // a boolean
  // memory and time
  recompute,        // a boolean or a word: activation checkpointing
  profile_enabled,  // a boolean
  profile_after,    // steps before the profile; several are added up
  profile_steps,    // number of profiled steps
};

/// A key that a recipe can express.
struct Counterpart {
  std::string_view theirs;  // dotted; a `*` at the end matches any rest
  Part part;
};

/// Keys that a recipe cannot or need not express, with a reason.
struct Without {
  bool is_needed;           // false: knead does this without a key
  std::string_view reason;  // follows "no counterpart: " or "needs no key: "
  /// The keys, separated by blanks. `key=value` gives the default value of a key; a `*` at the end
  /// matches any rest.
  std::string_view theirs;
};

/// A default of another trainer.
struct Habit {
  std::string_view theirs;  // the key, dotted
  std::string_view value;   // YAML
};

/// Another trainer, described by its configuration files. All views have static lifetime.
struct Peer {
  std::string_view name;   // value of --from
  std::string_view title;  // "axolotl"
  std::span<const Counterpart> counterparts;
  std::span<const Without> without;
  std::span<const Habit> habits;
  /// Keys that identify its files, separated by blanks; '*' matches any name. A file has at least
  /// one of `needs` (if there are any) and at least `fewest` of `marks`.
  std::string_view needs;
  std::string_view marks;
  std::size_t fewest;
  bool trains_language_models;  // only language models
  bool spares_norms;            // no weight decay for biases and norms
  bool warms_up_from_zero;      // the first update of a warm-up has lr 0
  bool drops_last;              // always drops the last, smaller batch of an epoch
};

extern const Peer kAccelerate;
extern const Peer kTransformers;
extern const Peer kAxolotl;
extern const Peer kTorchtune;

/// Returns all known trainers.
std::span<const Peer* const> peers();

}  // namespace knead::peers
