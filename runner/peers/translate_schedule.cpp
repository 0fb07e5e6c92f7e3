#include <algorithm>

#include <fmt/format.h>

#include "runner/peers/translate.h"
#include "schema/document/scalar.h"
#include "schema/document/suggest.h"

namespace knead::peers {
namespace {

/// A schedule and its names in other trainers.
struct NamedSchedule {
  std::string_view theirs;  // folded, separated by blanks
  std::string_view ours;
};

constexpr NamedSchedule kSchedules[] = {
    {"linear getlinearschedulewithwarmup linearlr warmupdecaylr", "linear"},
    {"cosine cosinewithrestarts cosinewithminlr cosinewarmupwithminlr "
     "getcosineschedulewithwarmup cosineannealinglr warmupcosinelr",
     "cosine"},
    {"polynomial", "polynomial"},
    {"constant constantwithwarmup constantlr warmuplr", "constant"},
    {"inversesqrt", "inverse_sqrt"},
    {"reducelronplateau", "plateau"},
    {"warmupstabledecay", "wsd"},
    {"onecycle onecyclelr", "one_cycle"},
    {"exponentiallr", "exponential"},
    {"steplr", "step"},
};

/// Returns the schedule of knead with this name in another trainer, or an empty text.
std::string_view ours_for(const std::string& name) {
  // DeepSpeed's OneCycle goes up and down in straight lines, and on from there.
  if (name == "OneCycle") return "";
  const std::string wanted = " " + schema::folded(last_name(name)) + " ";
  for (const NamedSchedule& named : kSchedules) {
    const std::string words = " " + std::string(named.theirs) + " ";
    if (words.find(wanted) != std::string::npos) return named.ours;
  }
  return "";
}

/// Returns whether a cosine does not fall exactly once. Schedules with restarts count falls, the
/// others whole periods.
bool has_other_cycles(Theirs& theirs, const std::string& name) {
  const double cycles = theirs.number(Part::cycles).value_or(-1);
  const bool counts_falls = name.find("restarts") != std::string::npos;
  return cycles >= 0 && cycles != (counts_falls ? 1 : 0.5);
}

/// The length of a warm-up and the key that gives it.
struct Warmup {
  std::string words;  // "10%"; empty without one
  Item* item = nullptr;
};

Warmup warmup_of(Theirs& theirs) {
  Item* steps = theirs.written(Part::warmup_steps);
  const double count = steps ? number_of(*steps).value_or(0) : 0;
  if (count >= 1) return {quantity(count, schema::Unit::steps), steps};
  if (count > 0) return {quantity(100 * count, schema::Unit::percent), steps};
  Item* share = theirs.find(Part::warmup_share);
  const double part = share ? number_of(*share).value_or(0) : 0;
  // A written warmup_steps of 0 means no warm-up, so the default share does not apply.
  const bool is_overruled = share && share->is_habit && steps;
  if (part <= 0 || part >= 1 || is_overruled) return {};
  return {quantity(100 * part, schema::Unit::percent), share};
}

/// Says where a warm-up rises in another way than in a straight line.
void warmup_shape(Translation& in, Setting& line) {
  Item* shape = in.theirs.find(Part::warmup_shape);
  if (!shape) return;
  line.of(shape);
  if (text_of(*shape) == "log") line.noted("theirs rises as a logarithm, ours in a line");
}

void warmup(Translation& in) {
  const Warmup warmup = warmup_of(in.theirs);
  if (!warmup.words.empty()) {
    Setting& line = in.draft.set("schedule.warmup", warmup.words).of(warmup.item);
    if (warmup.item->is_habit) line.noted("and no more than 100 steps");
    warmup_shape(in, line);
    if (in.theirs.peer().warms_up_from_zero)
      line.noted("their first update has lr 0, ours has not");
  }
}

void min_factor(Translation& in) {
  Item* factor = in.theirs.find(Part::min_factor);
  Item* lowest = in.theirs.find(Part::min_lr);
  const double lr = in.theirs.number(Part::lr).value_or(0);
  if (factor && number_of(*factor)) {
    in.draft.set("schedule.min_factor", number_as_yaml(*factor)).of(factor);
  } else if (lowest && number_of(*lowest) && lr > 0) {
    const std::string share = schema::number_text(*number_of(*lowest) / lr);
    in.draft.set("schedule.min_factor", share).of(lowest).noted("as a share of lr");
  }
}

void stable_decay(Translation& in) {
  Item* steps = in.theirs.find(Part::decay_steps);
  if (steps && number_of(*steps).value_or(0) >= 1)
    in.draft.set("schedule.decay", quantity(*number_of(*steps), schema::Unit::steps)).of(steps);
  Item* shape = in.theirs.find(Part::decay_shape);
  const std::string name = shape ? text_of(*shape) : "cosine";
  in.draft.set("schedule.shape", name == "1-sqrt"   ? "sqrt"
                                 : name == "linear" ? name
                                                    : "cosine")
      .of(shape);
}

/// Translates torch's OneCycleLR whose peak is at the end of the warm-up.
void one_cycle(Translation& in) {
  // Defaults of div_factor and final_div_factor of torch.optim.lr_scheduler.OneCycleLR.
  constexpr double kUsualDivisor = 25;
  constexpr double kLastDivisor = 1e4;
  const Warmup warmup = warmup_of(in.theirs);
  if (!warmup.words.empty()) in.draft.set("schedule.peak_at", warmup.words).of(warmup.item);
  Item* item = in.theirs.find(Part::divisor);
  double divisor = item ? number_of(*item).value_or(0) : 0;
  if (divisor > 0) {
    in.draft.set("schedule.start", schema::number_text(1 / divisor)).of(item).noted("its inverse");
  } else {
    divisor = kUsualDivisor;
  }
  in.draft.set("schedule.min_factor", schema::number_text(1 / divisor / kLastDivisor))
      .noted("as torch's OneCycleLR ends");
}

void steps_down(Translation& in, std::string_view kind) {
  Item* every = in.theirs.find(Part::step_size);
  const double steps = every ? number_of(*every).value_or(0) : 0;
  if (kind == "exponential") in.draft.set("schedule.per", "1 step");
  if (kind == "step" && steps >= 1)
    in.draft.set("schedule.every", quantity(steps, schema::Unit::steps)).of(every);
  if (kind == "step" && steps < 1) in.draft.leave_open("schedule.every", "how often").of(every);
}

void gamma(Translation& in, std::string_view kind) {
  Item* item = in.theirs.find(Part::gamma);
  if (item && number_of(*item)) {
    in.draft.set("schedule.gamma", number_as_yaml(*item)).of(item);
  } else if (kind == "exponential") {
    in.draft.leave_open("schedule.gamma", "what lr is multiplied with").of(item);
  }
}

void plateau(Translation& in) {
  constexpr double kUsual = 10;  // the default of torch
  Item* item = in.theirs.find(Part::patience);
  const double patience = item ? number_of(*item).value_or(kUsual) : kUsual;
  // torch reduces lr when more than `patience` evaluations bring no progress, knead when as many
  // do.
  in.draft.set("schedule.patience", quantity(patience + 1, schema::Unit::evaluations))
      .of(item)
      .noted("torch's patience is one less");
}

void schedule_options(Translation& in, std::string_view kind, const std::string& name,
                      Setting& type) {
  const bool falls = kind == "linear" || kind == "cosine" || kind == "polynomial" || kind == "wsd";
  const bool warms_up =
      (falls || kind == "inverse_sqrt" || kind == "constant") && schema::folded(name) != "constant";
  if (warms_up) warmup(in);
  if (falls) min_factor(in);
  if (kind == "inverse_sqrt" && !in.draft.has("schedule.warmup"))
    type.noted("without a warm-up theirs falls more slowly, as if after 10000 steps of one");
  if (kind == "wsd") stable_decay(in);
  if (kind == "one_cycle") one_cycle(in);
  if (kind == "step" || kind == "exponential") steps_down(in, kind);
  if (kind == "step" || kind == "exponential" || kind == "plateau") gamma(in, kind);
  if (kind == "plateau") plateau(in);
  Item* power = in.theirs.find(Part::power);
  if (kind == "polynomial" && power && number_of(*power))
    in.draft.set("schedule.power", number_as_yaml(*power)).of(power);
  Item* length = in.theirs.find(Part::schedule_steps);
  if (falls && length && number_of(*length).value_or(0) >= 1)
    in.draft.set("schedule.over", quantity(*number_of(*length), schema::Unit::steps)).of(length);
  Item* from = in.theirs.find(Part::constant_from);
  const double share = from ? number_of(*from).value_or(0) : 0;
  const std::string over = falls && share > 0 ? share_of_run(in.theirs, share) : "";
  if (!over.empty()) in.draft.set("schedule.over", over).of(from).noted("of the run");
}

}  // namespace

void translate_schedule(Translation& in) {
  Item* item = in.theirs.find(Part::schedule);
  const std::string name = item ? text_of(*item) : "";
  const std::string_view kind = ours_for(name);
  const bool is_other = kind == "cosine" && has_other_cycles(in.theirs, name);
  if (!kind.empty() && !is_other) {
    Setting& type = in.draft.set("schedule.type", std::string(kind)).of(item);
    if (Item* cycles = in.theirs.find(Part::cycles); cycles && kind == "cosine") type.of(cycles);
    schedule_options(in, kind, name, type);
  } else if (item) {
    item->fate = Fate::without;
    item->reason = "knead has no such schedule: lr stays as it is";
  }
  const std::string reason = item && item->fate == Fate::taken
                                 ? fmt::format("{} has no such option", kind)
                                 : "there is no schedule that it could be an option of";
  for (const Part part : {Part::warmup_steps, Part::warmup_share, Part::cycles, Part::min_lr,
                          Part::min_factor, Part::power, Part::schedule_steps, Part::warmup_shape,
                          Part::constant_from, Part::decay_steps, Part::decay_shape, Part::gamma,
                          Part::patience, Part::step_size, Part::divisor})
    in.theirs.set_idle(part, reason);
}

}  // namespace knead::peers
