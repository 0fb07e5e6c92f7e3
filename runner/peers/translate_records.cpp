#include <fmt/format.h>

#include "runner/peers/translate.h"
#include "schema/document/suggest.h"

namespace knead::peers {
namespace {

using schema::Unit;

constexpr std::string_view kAlwaysSaved =
    "a run that stops, ends or has its best evaluation is saved";

/// Marks a written key as not needed.
void need_none(Item* item, std::string_view reason) {
  if (!item || item->is_habit) return;
  item->fate = Fate::no_need;
  item->reason = reason;
}

/// Writes checkpoint.every, and returns its line or null.
Setting* save_every(Translation& in) {
  Theirs& theirs = in.theirs;
  Item* strategy = theirs.find(Part::save_when);
  const std::string word = strategy ? schema::folded(text_of(*strategy)) : "";
  const auto line = [&](std::string words, Part part) {
    return words.empty()
               ? nullptr
               : &in.draft.set("checkpoint.every", std::move(words)).of(theirs.find(part));
  };
  // axolotl counts save_steps whatever its save_strategy says, which by default is "epoch".
  const bool in_steps = word == "steps" || theirs.peer().name == "axolotl" || word.empty();
  if (word == "no" || word == "false" || word == "best") {
    need_none(strategy, kAlwaysSaved);
    return nullptr;
  }
  if (const double often = theirs.number(Part::saves_per_epoch).value_or(0); often > 0)
    return line(quantity(1 / often, Unit::epochs), Part::saves_per_epoch);
  if (in_steps && theirs.number(Part::save_steps).value_or(0) > 0) {
    const std::string steps = steps_in_words(theirs, Part::save_steps);
    if (steps.empty()) return nullptr;
    Setting& every = in.draft.set("checkpoint.every", steps);
    if (word == "steps" && !strategy->is_habit) every.of(strategy);
    return &say_steps(every, theirs.find(Part::save_steps));
  }
  if (word == "epoch" || word == "epochs") return line("1 epoch", Part::save_when);
  if (const double epochs = theirs.number(Part::save_epochs).value_or(0); epochs > 0)
    return line(quantity(epochs, Unit::epochs), Part::save_epochs);
  return nullptr;
}

void keep(Translation& in, Setting* every) {
  Item* limit = in.theirs.find(Part::keep);
  Item* best = in.theirs.find(Part::best_is_wanted);
  const bool wants_best = best && truth_of(*best) == true && in.draft.has("data.validation");
  const double count = limit ? number_of(*limit).value_or(0) : 0;
  if (count >= 1) {
    // The other trainer counts the best checkpoint among those that it keeps.
    const double last = wants_best && count > 1 ? count - 1 : count;
    Setting& line = in.draft.set("checkpoint.keep.last", fmt::format("{:.0f}", last)).of(limit);
    if (last != count) line.noted("with the best one");
  } else if (every) {
    every->noted("there all are kept, here the last 2 and the best");
  }
  if (wants_best) in.draft.set("checkpoint.keep.best", "1").of(best);
  if (!in.draft.has("data.validation"))
    in.theirs.set_idle(Part::best_is_wanted, "there is no set that evaluations could look at");
}

void resume(Translation& in) {
  for (Item* item : in.theirs.all(Part::resume)) {
    if (item->is_off()) continue;
    const bool is_switch = truth_of(*item).has_value();
    item->fate = is_switch ? Fate::no_need : Fate::without;
    item->reason = is_switch ? "knead run goes on from the last checkpoint by itself"
                             : "checkpoints of another trainer; model.weights begins with weights";
  }
}

/// Returns the names of the places that numbers are reported to, from a list or a single value.
std::vector<std::string> names_in(const Item& item) {
  if (!item.value.is_list()) return {text_of(item)};
  std::vector<std::string> names;
  for (const schema::Node& name : item.value.items) names.push_back(name.text);
  return names;
}

void report_to(Translation& in) {
  if (in.theirs.truth(Part::tensorboard) == true) {
    in.draft.set("track.to", "[tensorboard]").of(in.theirs.find(Part::tensorboard));
    return;
  }
  Item* item = in.theirs.find(Part::report_to);
  if (!item || item->is_off()) return;
  bool has_tensorboard = false;
  bool is_local = true;
  std::vector<std::string> others;
  for (const std::string& dotted : names_in(*item)) {
    const std::string name = schema::folded(last_name(dotted));
    const bool is_ours = name == "tensorboard" || name == "tensorboardlogger" || name == "all";
    has_tensorboard = has_tensorboard || is_ours;
    is_local = is_local && (name == "disklogger" || name == "stdoutlogger" || name == "none");
    if (!is_ours) others.push_back(last_name(dotted));
  }
  if (has_tensorboard) {
    Setting& line = in.draft.set("track.to", "[tensorboard]").of(item);
    if (!others.empty()) line.noted(fmt::format("no counterpart: {}", fmt::join(others, ", ")));
  } else {
    item->fate = is_local ? Fate::no_need : Fate::without;
    item->reason = is_local ? "numbers are always in metrics.jsonl and on the terminal"
                            : "where else numbers go";
  }
}

}  // namespace

void translate_checkpoints(Translation& in) {
  keep(in, save_every(in));
  for (const Part part : {Part::save_when, Part::save_steps, Part::save_epochs})
    in.theirs.set_idle(part, "checkpoint.every has another of their keys");
  resume(in);
}

void translate_reports(Translation& in) {
  Item* strategy = in.theirs.find(Part::report_when);
  const std::string word = strategy ? schema::folded(text_of(*strategy)) : "steps";
  if (word == "epoch") {
    in.draft.set("track.every", "1 epoch").of(strategy);
  } else if (word == "no" || word == "false") {
    need_none(strategy, "numbers are always reported");
  } else if (const std::string steps = steps_in_words(in.theirs, Part::report_steps);
             !steps.empty()) {
    Setting& line = in.draft.set("track.every", steps);
    if (strategy && !strategy->is_habit) line.of(strategy);
    say_steps(line, in.theirs.find(Part::report_steps));
  }
  in.theirs.set_idle(Part::report_steps, "reports are not counted in steps");
  report_to(in);
}

}  // namespace knead::peers
