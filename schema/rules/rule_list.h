#pragma once

#include "schema/merge/extends.h"
#include "schema/rules/rule_view.h"

namespace knead::schema {

/// A rule over a validated recipe; it reports problems through the view.
using Rule = void (*)(const RuleView& recipe);

// rules_model.cpp
void model_has_one_origin(const RuleView& recipe);
void model_files_exist(const RuleView& recipe, const Files& files);
void archives_are_pinned(const RuleView& recipe, const Files& files);
void inputs_are_fields(const RuleView& recipe);

// rules_weights.cpp
void init_has_one_kind(const RuleView& recipe);
void init_bounds_are_ordered(const RuleView& recipe);
void rename_patterns_are_sound(const RuleView& recipe);

// rules_samples.cpp
void transforms_fit_their_set(const RuleView& recipe);
void sampler_draws_from_a_field(const RuleView& recipe);
void images_have_one_or_three_channels(const RuleView& recipe);
void images_are_not_split_by_class(const RuleView& recipe);
void categories_are_class_numbers(const RuleView& recipe);
void categories_are_not_scaled(const RuleView& recipe);
void categories_are_distinct(const RuleView& recipe);

// rules_rows.cpp
void rows_are_not_empty(const RuleView& recipe);
void sets_do_not_overlap(const RuleView& recipe);
void hold_out_has_a_source(const RuleView& recipe);

// rules_sets.cpp
void sets_have_files(const RuleView& recipe);
void tar_fields_can_be_read(const RuleView& recipe);
void sets_of_a_mix_are_alike(const RuleView& recipe);
void weights_are_of_a_mix(const RuleView& recipe);
void mix_is_not_sampled(const RuleView& recipe);
void weights_have_a_file(const RuleView& recipe);

// rules_data.cpp
void columns_fit_fields(const RuleView& recipe);
void targets_are_fields(const RuleView& recipe);
void target_has_the_right_dtype(const RuleView& recipe);
void data_has_tokens(const RuleView& recipe);

// rules_metrics.cpp
void metrics_suit_the_loss(const RuleView& recipe);

// rules_run.cpp
void batch_divides(const RuleView& recipe);
void batch_fits_the_data(const RuleView& recipe);
void clip_has_one_bound(const RuleView& recipe);
void profile_is_in_the_run(const RuleView& recipe);

// rules_optimizer.cpp
void nesterov_has_momentum(const RuleView& recipe);
void groups_choose_parameters(const RuleView& recipe);
void groups_say_one_thing(const RuleView& recipe);
void scaler_has_fp16(const RuleView& recipe);

// rules_schedule.cpp
void warmup_fits_the_run(const RuleView& recipe);
void decay_fits_the_run(const RuleView& recipe);
void schedule_knows_its_length(const RuleView& recipe);
void phases_make_sense(const RuleView& recipe);
void phases_fit_the_run(const RuleView& recipe);
void average_is_quick_enough(const RuleView& recipe);

// rules_evaluate.cpp
void evaluation_has_data(const RuleView& recipe);
void monitor_is_computed(const RuleView& recipe);
void metrics_are_distinct(const RuleView& recipe);
void evaluation_happens(const RuleView& recipe);
void early_stopping_is_sound(const RuleView& recipe);
void plateau_has_evaluations(const RuleView& recipe);
void expectations_are_sound(const RuleView& recipe);

}  // namespace knead::schema
