#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace knead::peers {

/// What a key of another trainer means, however it is called there.
enum class Part : std::uint8_t {
  // what is trained, on what: names of things that a recipe says in another way
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
  other_aim,  // what they train for in place of a loss on given targets
  label_smoothing,
  target,  // a name, or a list of names
  // batch
  rank_batch,  // of one process, at once
  batch,       // of one process, in one step
  accumulation,
  processes,
  // optimizer
  optimizer,
  wants_adafactor,  // a boolean that overrules `optimizer`
  lr,
  beta1,
  beta2,
  epsilon,
  weight_decay,
  optimizer_option,  // its last name is torch's
  // schedule
  schedule,
  warmup_steps,  // below 1 it is a share
  warmup_share,
  cycles,
  min_lr,
  min_factor,
  power,
  constant_from,  // the share of the run after which lr stays
  decay_steps,
  decay_shape,
  gamma,
  patience,  // as torch counts: evaluations that are waited for
  step_size,
  divisor,  // one_cycle: lr / divisor is the first lr
  clip_norm,
  // precision
  bf16,
  fp16,
  tf32,
  precision,     // a name
  weight_dtype,  // of all numbers, weights too
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
  recompute,        // a boolean, or a word: activations are computed again
  profile_enabled,  // a boolean
  profile_after,    // steps before it begins; where there are several, their sum
  profile_steps,    // how many
};

/// A key with a counterpart. Dotted where it stands in a block; a `*` at the end is any key below.
struct Counterpart {
  std::string_view theirs;
  Part part;
};

/// Keys for which a recipe has no words, and why.
struct Without {
  bool is_needed;           // false: what they ask for is so without a key
  std::string_view reason;  // after "no counterpart: " or "needs no key: "
  /// With blanks between them; `key=value` where that value is the usual one, `key*` for all that
  /// begin so.
  std::string_view theirs;
};

/// What another trainer does where a key is not written.
struct Habit {
  std::string_view theirs;
  std::string_view value;  // YAML
};

/// Another trainer, as its files show it. Everything in it lives for ever.
struct Peer {
  std::string_view name;   // as --from says it
  std::string_view title;  // "axolotl"
  std::span<const Counterpart> counterparts;
  std::span<const Without> without;
  std::span<const Habit> habits;
  /// Keys that its files show it by, with blanks between them: a file has one of `needs` (any file
  /// where that is empty) and at least `fewest` of `marks`. '*' is any name.
  std::string_view needs;
  std::string_view marks;
  std::size_t fewest;
  bool trains_language_models;  // and nothing else
  bool spares_norms;            // biases and weights of norms do not decay
  bool warms_up_from_zero;      // the first update of a warm-up has lr 0
  bool drops_last;              // the last, smaller batch of an epoch, always
};

extern const Peer kAccelerate;
extern const Peer kTransformers;
extern const Peer kAxolotl;
extern const Peer kTorchtune;

/// All of them.
std::span<const Peer* const> peers();

}  // namespace knead::peers
