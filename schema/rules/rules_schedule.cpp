#include <cmath>

#include <fmt/format.h>

#include "schema/document/scalar.h"
#include "schema/rules/rule_lengths.h"
#include "schema/rules/rule_list.h"
#include "schema/table/catalog.h"

namespace knead::schema {
namespace {

/// Returns a length with its place: "train.until 20 epochs (line 19)".
std::string written_length(const RuleView& recipe, const char* path) {
  return fmt::format("{} {} ({})", path, recipe.text(path), recipe.where(path));
}

/// Returns whether this kind of schedule depends on the length of the run.
bool needs_length(const RuleView& recipe) {
  const Node* schedule = recipe.find("schedule");
  const Type* kind = schedule ? block_of(type_at(recipe_type(), "schedule"), *schedule) : nullptr;
  return kind && find_key(*kind, "over");
}

bool is_share_at(const RuleView& recipe, const std::string& path) {
  const auto length = recipe.quantity(path);
  return length && length->unit == Unit::percent;
}

/// Reports a shape that cannot go from `from` to the value of its phase.
void check_phase(const RuleView& recipe, const std::string& path, double from) {
  const std::string shape = recipe.text(path + ".shape");
  const auto written_to = recipe.number(path + ".to");
  const double to = written_to ? *written_to : from;
  if (shape == "constant" && to != from) {
    recipe.error("phase-shape", recipe.find(path + ".to")->place,
                 fmt::format("a constant phase does not go from {} to {}", number_text(from),
                             number_text(to)),
                 "write another shape, as in 'shape: linear'");
  }
  const bool never_zero = shape == "exponential" || shape == "inverse_sqrt";
  if (!never_zero || (from > 0 && to > 0)) return;
  const Node* zero = recipe.find(path + (to > 0 ? ".from" : ".to"));
  recipe.error("phase-shape", zero && zero->place ? zero->place : recipe.key_place(path),
               fmt::format("the shape {} is never 0", shape), "write a small number, as in 1e-3");
}

}  // namespace

void warmup_fits_the_run(const RuleView& recipe) {
  const char* whole = whole_of_schedule(recipe);
  const auto lengths = compare_lengths(recipe, "schedule.warmup", whole);
  if (!lengths || lengths->part < lengths->whole || recipe.text(whole).empty()) return;
  recipe.error("warmup-too-long", recipe.find("schedule.warmup")->place,
               fmt::format("the warm-up of {} is not shorter than {}",
                           recipe.text("schedule.warmup"), written_length(recipe, whole)),
               "the learning rate would never be reached");
}

void decay_fits_the_run(const RuleView& recipe) {
  const char* whole = whole_of_schedule(recipe);
  const auto fall = compare_lengths(recipe, "schedule.decay", whole);
  const auto rise = compare_lengths(recipe, "schedule.warmup", whole);
  if (!fall) return;
  const double share = fall->part / fall->whole + (rise ? rise->part / rise->whole : 0);
  // warmup_fits_the_run() reports a warm-up that is too long by itself.
  if (share <= 1 || (rise && rise->part >= rise->whole)) return;
  recipe.error(
      "schedule-too-long", recipe.find("schedule.decay")->place,
      fmt::format(
          "the fall of {}{} is longer than {}", recipe.text("schedule.decay"),
          rise ? fmt::format(", with the warm-up of {},", recipe.text("schedule.warmup")) : "",
          written_length(recipe, whole)),
      "make it shorter");
}

void schedule_knows_its_length(const RuleView& recipe) {
  const auto until = recipe.quantity("train.until");
  if (!until || until->unit != Unit::seconds) return;
  const bool no_over = recipe.is_absent("schedule.over");
  if (needs_length(recipe) && no_over) {
    recipe.error("schedule-needs-over", recipe.key_place("schedule"),
                 fmt::format("the schedule {} needs to know its end; {} is a time",
                             recipe.text("schedule.type"), recipe.reference("train.until")),
                 "write schedule.over, in steps or epochs");
  }
  const auto refuse_share = [&](const std::string& path, const char* key, const char* hint) {
    if (!is_share_at(recipe, path)) return;
    const Node* share = recipe.find(path);
    recipe.error(
        "schedule-needs-over", share->place ? share->place : recipe.key_place(key),
        fmt::format("a share of the run is unknown; {} is a time", recipe.reference("train.until")),
        hint);
  };
  if (no_over) refuse_share("schedule.warmup", "schedule", "write the warm-up in steps or epochs");
  refuse_share("average.start", "average", "write average.start in steps or epochs");
  const Node* milestones = recipe.find("schedule.milestones");
  for (std::size_t i = 0; milestones && i < milestones->items.size(); ++i)
    refuse_share(fmt::format("schedule.milestones.{}", i), "schedule",
                 "write it in steps or epochs");
}

void phases_make_sense(const RuleView& recipe) {
  const Node* phases = recipe.find("schedule.phases");
  if (!phases) return;
  double value = 1;
  for (std::size_t i = 0; i < phases->items.size(); ++i) {
    const std::string path = fmt::format("schedule.phases.{}", i);
    if (!recipe.find(path)) return;
    const auto from = recipe.number(path + ".from");
    const auto to = recipe.number(path + ".to");
    if (from) value = *from;
    check_phase(recipe, path, value);
    if (to) value = *to;
    if (i + 1 < phases->items.size() && recipe.is_absent(path + ".for")) {
      recipe.error("missing-key", recipe.key_place(path), path + " needs 'for'",
                   "only the last phase takes what is left");
    }
  }
}

void phases_fit_the_run(const RuleView& recipe) {
  const Node* phases = recipe.find("schedule.phases");
  if (!phases) return;
  const char* whole = whole_of_schedule(recipe);
  double share = 0;  // of the whole schedule
  bool is_open = false;
  for (std::size_t i = 0; i < phases->items.size(); ++i) {
    const std::string path = fmt::format("schedule.phases.{}.for", i);
    is_open = recipe.is_absent(path);
    const auto length = compare_lengths(recipe, path, whole);
    if (!length && !is_open) return;
    if (length) share += length->part / length->whole;
  }
  // Shares are sums of divisions, which may miss 1 by a rounding error.
  constexpr double kRounding = 1e-9;
  const Place place = recipe.key_place("schedule.phases");
  const std::string percent = number_text(std::round(share * 1000) / 10);
  if (share > 1 + kRounding || (is_open && share > 1 - kRounding)) {
    recipe.error(
        "phases-length", place,
        fmt::format("{} {}% of {}", is_open ? "all phases but the last take" : "the phases take",
                    percent, written_length(recipe, whole)),
        "make them shorter, or the run longer");
  } else if (!is_open && share < 1 - kRounding) {
    recipe.warning(
        "phases-length", place,
        fmt::format("the phases end after {}% of {}", percent, written_length(recipe, whole)),
        "the last factor then stays; the last phase may leave out 'for' to take what is "
        "left");
  }
}

void average_is_quick_enough(const RuleView& recipe) {
  const auto decay = recipe.number("average.decay");
  const auto lengths = compare_lengths(recipe, "average.every", "train.until");
  if (!decay || *decay <= 0 || !lengths) return;
  // After n updates the average contains decay^n of its beginning, so the half-life is ln 0.5 / ln
  // decay.
  const double half_life = std::log(0.5) / std::log(*decay) * lengths->part;
  if (half_life <= lengths->whole) return;
  const Node* written = recipe.find("average.decay");
  // The suggested decay has a time constant of a tenth of the run.
  const double quicker = 1 - 10 * lengths->part / lengths->whole;
  recipe.warning(
      "average-too-slow", written->place ? written->place : recipe.key_place("average"),
      fmt::format("the decay {} has a half-life of {:.0f} updates of the average, longer than {}",
                  number_text(*decay), half_life / lengths->part,
                  written_length(recipe, "train.until")),
      quicker > 0 ? fmt::format("as in decay: {:.2g}", quicker) : "");
}

}  // namespace knead::schema
