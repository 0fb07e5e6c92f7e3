#pragma once

#include "schema/merge/extends.h"
#include "schema/rules/rule_view.h"

namespace knead::schema {

/// A rule over a validated recipe; it reports problems through the view. It is silent about values
/// that are doubtful or that only the data can tell, opens no file, and does not depend on other
/// rules having run. Each rule may add several problems.
using Rule = void (*)(const RuleView& recipe);

// rules_model.cpp

/// Requires exactly one of model.source, model.archive and model.url; an archive takes no class or
/// args, a url needs a SHA-256.
void model_has_one_origin(const RuleView& recipe);
/// Reports a missing model source or archive. Asks `files` for existence only.
void model_files_exist(const RuleView& recipe, const Files& files);
/// Warns of a local archive without a SHA-256, because its code is executed. Silent if the file is
/// missing.
void archives_are_pinned(const RuleView& recipe, const Files& files);
/// Requires that the inputs of the model are fields of data.train, and that one is left beside the
/// target if model.inputs is not written.
void inputs_are_fields(const RuleView& recipe);

// rules_weights.cpp

/// Requires exactly one initialisation per item of model.init.
void init_has_one_kind(const RuleView& recipe);
/// Refuses export.max_shard without safetensors in export.to: other files are not cut.
void parts_are_of_safetensors(const RuleView& recipe);
/// Requires low < high in uniform and trunc_normal.
void init_bounds_are_ordered(const RuleView& recipe);
/// Requires valid regular expressions in model.weights.rename, and refuses \1 in `with`, which is
/// written $1.
void rename_patterns_are_sound(const RuleView& recipe);

// rules_samples.cpp

/// Requires that transforms name fields of their set, and warns of random transforms in an
/// evaluation. Transforms that equal those of an earlier set are reported there only.
void transforms_fit_their_set(const RuleView& recipe);
/// Requires exactly one of weights and balanced in data.sampler, and refuses `shuffle: false`
/// beside it.
void sampler_draws_from_a_field(const RuleView& recipe);
/// Refuses images with two channels.
void images_have_one_or_three_channels(const RuleView& recipe);
/// Warns of `rows` over a folder of images, because the images stand in the order of their classes.
void images_are_not_split_by_class(const RuleView& recipe);
/// Refuses dtype bool for more than two categories in data.train.
void categories_are_class_numbers(const RuleView& recipe);
/// Refuses scale and offset beside categories.
void categories_are_not_scaled(const RuleView& recipe);
/// Refuses a category, or a class of images, that is listed twice.
void categories_are_distinct(const RuleView& recipe);

// rules_rows.cpp

/// Refuses ranges of rows that are empty or exceed 100%.
void rows_are_not_empty(const RuleView& recipe);
/// Warns if an evaluated set holds rows of the training set: both name the same files, and their
/// rows overlap as far as the recipe tells.
void sets_do_not_overlap(const RuleView& recipe);
/// Requires that a set with hold_out names another set by `like`, leaves rows in it, and has no
/// rows or random windows of its own.
void hold_out_has_a_source(const RuleView& recipe);

// rules_sets.cpp

/// Requires that each set names its files, by a path or by url and SHA-256.
void sets_have_files(const RuleView& recipe);
/// Requires that the extensions of a tar field are of one known kind, and that its keys fit this
/// kind.
void tar_fields_can_be_read(const RuleView& recipe);
/// Requires that all sets of a mix have the same fields and context length, and no hold_out.
void sets_of_a_mix_are_alike(const RuleView& recipe);
/// Refuses `weight` for a set outside of a mix.
void weights_are_of_a_mix(const RuleView& recipe);
/// Refuses data.sampler beside a mix.
void mix_is_not_sampled(const RuleView& recipe);
/// Requires that model.weights names its file, by `from` or by url and SHA-256.
void weights_have_a_file(const RuleView& recipe);

// rules_data.cpp

/// Requires at least one field per set, valid ranges of columns whose count fits the shape, and a
/// header for column names.
void columns_fit_fields(const RuleView& recipe);
/// Requires that the fields named by the loss and the metrics exist.
void targets_are_fields(const RuleView& recipe);
/// Requires class numbers or floating-point numbers as the target, depending on the loss. Silent if
/// transforms may change the dtype, or if only the file tells it.
void target_has_the_right_dtype(const RuleView& recipe);
/// Refuses lengths in tokens, whatever their keys, if samples do not consist of tokens.
void data_has_tokens(const RuleView& recipe);

// rules_metrics.cpp

/// Requires a target for each metric, and warns if metrics of classes meet a loss of numbers or the
/// reverse.
void metrics_suit_the_loss(const RuleView& recipe);

// rules_run.cpp

/// Requires that batch.micro divides batch.size.
void batch_divides(const RuleView& recipe);
/// Requires a sample of each batch for each of the ranks that the recipe writes.
void ranks_share_the_batch(const RuleView& recipe);
/// Refuses distributed.backend nccl unless the recipe computes on GPUs.
void nccl_has_gpus(const RuleView& recipe);
/// Refuses, or without drop_last warns of, a batch that is larger than the training set.
void batch_fits_the_data(const RuleView& recipe);
/// Requires exactly one of clip.norm and clip.value.
void clip_has_one_bound(const RuleView& recipe);
/// Refuses two sinks of one kind.
void sinks_are_distinct(const RuleView& recipe);
/// Requires that profile.steps is not empty, and warns if it exceeds a run of known length.
void profile_is_in_the_run(const RuleView& recipe);
/// Refuses precision.scaler unless precision.compute is fp16. A scaler with all of its defaults, as
/// `render` writes it, passes.
void scaler_has_fp16(const RuleView& recipe);

// rules_shards.cpp

/// Refuses keys of `distributed` that mean nothing under the strategy: units without zero3,
/// replicas and gather: bf16 with data_parallel.
void shard_keys_have_a_strategy(const RuleView& recipe);
/// Refuses distributed.offload to the memory of the host with device cpu, which computes there.
void offload_has_another_place(const RuleView& recipe);

/// Refuses distributed.offload of parameters that each rank needs whole.
void offloaded_parameters_are_divided(const RuleView& recipe);
/// Warns if distributed.replicas does not divide the ranks that the recipe writes. They are those
/// of one machine, so a run on several may still work.
void replicas_divide_the_ranks(const RuleView& recipe);
/// Requires distributed.memory for strategy auto on GPUs.
void auto_knows_the_memory(const RuleView& recipe);
/// Warns of a pattern of distributed.units that stands there twice, or that another one covers.
void units_are_distinct(const RuleView& recipe);
/// Warns of gather: bf16 beside computing in fp16, which has more digits.
void gathered_numbers_keep_their_digits(const RuleView& recipe);

// rules_optimizer.cpp

/// Requires momentum and no dampening for nesterov of SGD.
void nesterov_has_momentum(const RuleView& recipe);
/// Requires that each item of optimizer.groups has a selector, and that its bounds of ndim can both
/// hold. Only the model tells whether a parameter matches.
void groups_choose_parameters(const RuleView& recipe);
/// Refuses contradicting keys in an item of optimizer.groups: lr with lr_scale and, for muon, its
/// own options with those of adamw.
void groups_say_one_thing(const RuleView& recipe);

// rules_schedule.cpp

/// Refuses a warm-up that is not shorter than the schedule, as the full learning rate would never
/// be reached.
void warmup_fits_the_run(const RuleView& recipe);
/// Refuses a warm-up and a decay that together are longer than the schedule.
void decay_fits_the_run(const RuleView& recipe);
/// Requires schedule.over, and refuses shares of the run, if train.until is a time. A schedule
/// whose kind has no key `over` needs no length.
void schedule_knows_its_length(const RuleView& recipe);
/// Requires shapes that can reach the values of their phase, and a length for all phases but the
/// last. A phase without `from` begins at the value of the phase before it, the first one at 1.
void phases_make_sense(const RuleView& recipe);
/// Compares the total length of the phases with the schedule: longer is refused, shorter gives a
/// warning.
void phases_fit_the_run(const RuleView& recipe);
/// Warns if the half-life of average.decay is longer than the run.
void average_is_quick_enough(const RuleView& recipe);

// rules_evaluate.cpp

/// Requires data.validation for keys that need an evaluation: a block `evaluate` that is not the
/// default (data.test is enough for it), export.weights best, and checkpoint.keep.best.
void evaluation_has_data(const RuleView& recipe);
/// Requires that evaluate.monitor, if it is written, is a computed metric of the validation set.
void monitor_is_computed(const RuleView& recipe);
/// Refuses two metrics of the same name, and the names loss, step, set and seconds, which each
/// evaluation records itself.
void metrics_are_distinct(const RuleView& recipe);
/// Warns if the run ends before the first evaluation. Compares lengths of the same unit only.
void evaluation_happens(const RuleView& recipe);
/// Requires a validation set and a computed metric for early_stopping, and warns of a reversed
/// goal.
void early_stopping_is_sound(const RuleView& recipe);
/// Requires data.validation for the schedule plateau.
void plateau_has_evaluations(const RuleView& recipe);

// rules_evaluated.cpp

/// Requires data.validation and data that are text, or tokens with a tokenizer, for
/// evaluate.generate.
void generated_text_has_a_tokenizer(const RuleView& recipe);
/// Refuses an empty prompt in evaluate.generate.
void prompts_are_not_empty(const RuleView& recipe);
/// Requires data.validation and a loss that each sample has by itself for evaluate.samples.
void samples_have_losses(const RuleView& recipe);

// rules_expect.cpp

/// Requires computed metrics and possible bounds in `expect`, and a baseline for at_most_worse;
/// warns of a bound on the wrong side.
void expectations_are_sound(const RuleView& recipe);

// rules_sweep.cpp

/// Refuses swept keys that change nothing in what is computed, and a key swept beside a block that
/// it is part of.
void swept_keys_tell_trials_apart(const RuleView& recipe);
/// Requires one kind of values for each swept key, bounds in order, and the same keys in all items
/// of sweep.list. Refuses a value, or an item, that stands there twice.
void swept_values_are_sound(const RuleView& recipe);

// rules_sweep_search.cpp

/// Requires what the search takes its points from, and as many trials as it needs and has points:
/// sweep.over or sweep.list, sweep.trials, `points` of ranges in a grid.
void sweep_has_points(const RuleView& recipe);
/// Refuses sweep.concurrent unless the search is tpe, and sweep.seeds if the seed is swept.
void sweep_keys_suit_the_search(const RuleView& recipe);
/// Requires data.validation for sweep.objective, sweep.prune and the search tpe, and a computed
/// metric. Warns of other sweeps without data.validation.
void sweep_has_an_objective(const RuleView& recipe);
/// Refuses a first time of pruning that is not before the end of the run, or before the first
/// evaluation, as far as the recipe tells.
void trials_are_pruned_in_time(const RuleView& recipe);

}  // namespace knead::schema
