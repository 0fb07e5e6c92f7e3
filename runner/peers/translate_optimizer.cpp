#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "runner/peers/translate.h"
#include "schema/document/scalar.h"
#include "schema/document/suggest.h"
#include "schema/document/yaml_text.h"
#include "schema/table/table.h"

namespace knead::peers {
namespace {

/// An optimizer and its names in other trainers.
struct NamedOptimizer {
  std::string_view theirs;  // folded, separated by blanks
  std::string_view ours;
  std::string_view note;
};

constexpr std::string_view kFewerBits =
    "no counterpart for its state in fewer bits: here it is in 32";

constexpr NamedOptimizer kOptimizers[] = {
    {"adamw adamwtorch adamwtorchfused adamwtorchxla adamwtorchnpufused adamwapexfused adamwhf "
     "adamwanyprecision pagedadamw32bit pagedadamw adamw32bit optimiadamw flashadamw",
     "adamw", ""},
    {"adamwbnb8bit adamw8bit pagedadamw8bit adamwtorch8bit adamwtorch4bit aoadamw4bit aoadamw8bit "
     "aoadamwfp8",
     "adamw", kFewerBits},
    {"adam adamtorch flashadam", "adam", ""},
    {"onebitadam zerooneadam", "adam", "its gradients are sent whole here"},
    {"onebitlamb", "lamb", "its gradients are sent whole here"},
    {"lion32bit pagedlion32bit lion flashlion", "lion", ""},
    {"lion8bit pagedlion8bit", "lion", kFewerBits},
    {"sgd flashsgd", "sgd", ""},
    {"adagrad", "adagrad", ""},
    {"rmsprop rmspropbnb rmspropbnb32bit", "rmsprop", ""},
    {"rmspropbnb8bit", "rmsprop", kFewerBits},
    {"adafactor", "adafactor", "torch's, which scales lr by the size of each tensor"},
    {"nadam", "nadam", ""},
    {"radam", "radam", ""},
    {"adamax", "adamax", ""},
    {"adadelta", "adadelta", ""},
    {"lamb", "lamb", ""},
    {"muon", "muon", ""},
};

const NamedOptimizer* find_named(const std::string& name) {
  // Blanks on both sides make the search find whole words only: "adam" is not found in "adamw".
  const std::string wanted = " " + schema::folded(last_name(name)) + " ";
  for (const NamedOptimizer& named : kOptimizers) {
    const std::string words = " " + std::string(named.theirs) + " ";
    if (words.find(wanted) != std::string::npos) return &named;
  }
  return nullptr;
}

/// Returns the block of an optimizer's options in the recipe language.
const schema::Type& options_of(std::string_view optimizer) {
  return *schema::find_kind(*schema::type_at(schema::recipe_type(), "optimizer"), optimizer)->type;
}

/// Writes an option that the file has, or whose default there differs from the default here.
void number_option(Translation& in, const schema::Type& options, const char* name, Part part) {
  const schema::Key* key = schema::find_key(options, name);
  Item* item = in.theirs.find(part);
  const std::optional<double> value = item ? number_of(*item) : std::nullopt;
  if (!key || key->type->shape != schema::Shape::number || !value) return;
  const bool is_usual = schema::number_text(*value) == key->default_value;
  if (item->is_habit && is_usual) return;
  in.draft.set(fmt::format("optimizer.{}", name), number_as_yaml(*item)).of(item);
}

void betas(Translation& in, const schema::Type& options) {
  const schema::Key* key = schema::find_key(options, "betas");
  Item* first = in.theirs.find(Part::beta1);
  Item* second = in.theirs.find(Part::beta2);
  if (!key || !first || !second || !number_of(*first) || !number_of(*second)) return;
  const std::string text = fmt::format("[{}, {}]", number_as_yaml(*first), number_as_yaml(*second));
  const bool is_usual = text == key->default_value;
  if (first->is_habit && second->is_habit && is_usual) return;
  in.draft.set("optimizer.betas", text).of(first).of(second);
}

/// Writes the exception for parameters that are not matrices: biases and weights of norms.
void groups(Translation& in, std::string_view optimizer) {
  const bool decays = in.theirs.number(Part::weight_decay).value_or(0) > 0;
  if (optimizer == "muon") {
    in.draft.set("optimizer.groups", "[{ndim_below: 2, adamw: {weight_decay: 0}}]")
        .noted("what is no matrix has AdamW, as there");
  } else if (decays && in.theirs.peer().spares_norms) {
    in.draft.set("optimizer.groups", "[{ndim_below: 2, weight_decay: 0}]")
        .noted("biases and norms do not decay, as there");
  }
}

/// Translates options that have torch's own names.
void other_options(Translation& in, const schema::Type& options, std::string_view optimizer) {
  for (Item* item : in.theirs.all(Part::optimizer_option)) {
    const std::string name = item->path.substr(item->path.rfind('.') + 1);
    if (schema::find_key(options, name)) {
      in.draft.set("optimizer." + name, schema::flow_as_yaml(item->value)).of(item);
    } else if (name == "fused" || name == "foreach") {
      item->fate = item->is_off() ? Fate::off : Fate::no_need;
      item->reason = "updates are fused where they can be";
    } else {
      item->fate = item->is_off() ? Fate::off : Fate::without;
      item->reason = fmt::format("no option of knead's {}", optimizer);
    }
  }
}

void optimizer_options(Translation& in, std::string_view optimizer) {
  const schema::Type& options = options_of(optimizer);
  betas(in, options);
  number_option(in, options, "eps", Part::epsilon);
  number_option(in, options, "weight_decay", Part::weight_decay);
  groups(in, optimizer);
  other_options(in, options, optimizer);
  for (const Part part : {Part::beta1, Part::beta2, Part::epsilon, Part::weight_decay})
    in.theirs.set_idle(part, fmt::format("{} has no such option", optimizer));
}

void options_of_none(Translation& in) {
  for (const Part part : {Part::beta1, Part::beta2, Part::epsilon, Part::weight_decay,
                          Part::decoupled_decay, Part::optimizer_option})
    in.theirs.set_idle(part, "it is an option of an optimizer that knead has not");
}

void clip(Translation& in) {
  Item* norm = in.theirs.find(Part::clip_norm);
  if (norm && number_of(*norm).value_or(0) > 0)
    in.draft.set("clip.norm", number_as_yaml(*norm)).of(norm);
  in.theirs.set_idle(Part::clip_norm, "it is no number: the script that is launched says it");
}

}  // namespace

void translate_optimizer(Translation& in) {
  const bool is_adafactor = in.theirs.truth(Part::wants_adafactor) == true;
  Item* item = in.theirs.find(is_adafactor ? Part::wants_adafactor : Part::optimizer);
  const NamedOptimizer* named = !item          ? nullptr
                                : is_adafactor ? find_named("adafactor")
                                               : find_named(text_of(*item));
  // DeepSpeed's Adam is AdamW unless a key says otherwise.
  Item* decoupled = in.theirs.find(Part::decoupled_decay);
  const bool is_adamw = named && named->ours == "adam" && decoupled && truth_of(*decoupled) == true;
  const std::string note(named ? named->note : "");
  if (is_adamw) named = find_named("adamw");
  if (named) {
    Setting& type = in.draft.set("optimizer.type", std::string(named->ours)).of(item);
    if (is_adamw) type.of(decoupled).noted("whose decay of weights is AdamW's");
    if (!note.empty()) type.noted(note);
  } else {
    Setting& type = in.draft.leave_open("optimizer.type", "adamw, sgd, …").of(item);
    if (item) type.noted("knead has no such optimizer");
  }
  Item* lr = in.theirs.find(Part::lr);
  if (lr && number_of(*lr).value_or(0) > 0) {
    in.draft.set("optimizer.lr", number_as_yaml(*lr)).of(lr);
  } else {
    in.draft.leave_open("optimizer.lr", "the learning rate").of(lr);
  }
  if (named)
    optimizer_options(in, named->ours);
  else
    options_of_none(in);
  in.theirs.set_idle(Part::optimizer, "adafactor: true goes before it");
  in.theirs.set_idle(Part::decoupled_decay, "the optimizer's type says it");
  clip(in);
}

}  // namespace knead::peers
