#include "schema/rules/rules.h"

#include "schema/rules/rule_list.h"

namespace knead::schema {
namespace {

// Problems are sorted by place afterwards. The order of the rules shows only where several of them
// report at one place, and there the first problem of a code is kept.
constexpr Rule kRules[] = {
    model_has_one_origin,
    inputs_are_fields,
    rows_are_not_empty,
    sets_do_not_overlap,
    hold_out_has_a_source,
    columns_fit_fields,
    targets_are_fields,
    target_has_the_right_dtype,
    data_has_tokens,
    batch_divides,
    ranks_share_the_batch,
    nccl_has_gpus,
    shard_keys_have_a_strategy,
    replicas_divide_the_ranks,
    auto_knows_the_memory,
    offload_has_another_place,
    offloaded_parameters_are_divided,
    units_are_distinct,
    gathered_numbers_keep_their_digits,
    batch_fits_the_data,
    warmup_fits_the_run,
    clip_has_one_bound,
    sinks_are_distinct,
    schedule_knows_its_length,
    evaluation_has_data,
    parts_are_of_safetensors,
    nesterov_has_momentum,
    monitor_is_computed,
    metrics_are_distinct,
    metrics_suit_the_loss,
    evaluation_happens,
    generated_text_has_a_tokenizer,
    prompts_are_not_empty,
    samples_have_losses,
    groups_choose_parameters,
    groups_say_one_thing,
    scaler_has_fp16,
    init_has_one_kind,
    init_bounds_are_ordered,
    rename_patterns_are_sound,
    sets_have_files,
    tar_fields_can_be_read,
    sets_of_a_mix_are_alike,
    weights_are_of_a_mix,
    mix_is_not_sampled,
    weights_have_a_file,
    decay_fits_the_run,
    phases_make_sense,
    phases_fit_the_run,
    average_is_quick_enough,
    early_stopping_is_sound,
    plateau_has_evaluations,
    transforms_fit_their_set,
    sampler_draws_from_a_field,
    images_have_one_or_three_channels,
    images_are_not_split_by_class,
    categories_are_class_numbers,
    categories_are_not_scaled,
    categories_are_distinct,
    profile_is_in_the_run,
    expectations_are_sound,
    swept_keys_tell_trials_apart,
    swept_values_are_sound,
    sweep_has_points,
    sweep_keys_suit_the_search,
    sweep_has_an_objective,
    trials_are_pruned_in_time,
};

}  // namespace

void check_rules(const Checked& recipe, const Files& files, Problems& problems) {
  const RuleView view(recipe, problems);
  for (const Rule rule : kRules) rule(view);
  // Only these rules ask the disk, and the second one relies on the first to report a missing file.
  model_files_exist(view, files);
  archives_are_pinned(view, files);
}

}  // namespace knead::schema
