#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "runner/peers/translate.h"
#include "schema/document/yaml_text.h"

namespace knead::peers {
namespace {

/// The limit of Format::run_name.
constexpr std::size_t kLongestName = 64;

/// Replaces the characters that the name of a run cannot have; "imported" if nothing is left.
std::string run_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (name.empty() && !is_letter) continue;
    const bool is_fine = is_letter || c == '.' || c == '_' || c == '-';
    name += is_fine ? c : '-';
  }
  name.resize(std::min(name.size(), kLongestName));
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "imported" : name;
}

/// Returns a path as YAML. A recipe does not expand '~'.
std::string as_path(std::string folder) {
  if (folder.starts_with("~/")) return "\"${env:HOME}" + folder.substr(1) + "\"";
  return schema::text_as_yaml(folder);
}

/// The output folder of another trainer holds one run; that of knead holds a folder per run. Its
/// last part therefore becomes the name, unless the file has one.
void name_and_output(Translation& in) {
  Item* name = in.theirs.find(Part::run_name);
  Item* folder = in.theirs.find(Part::output_folder);
  const std::string written = folder ? text_of(*folder) : "";
  std::filesystem::path path(written);
  if (!path.has_filename()) path = path.parent_path();
  const bool is_named = name && !text_of(*name).empty();
  const std::string last = path.filename() == "." || path.filename() == ".." ? "" : path.filename();

  const std::string text = is_named ? text_of(*name) : last.empty() ? in.stem : last;
  Setting& line = in.draft.set("name", schema::text_as_yaml(run_name(text)));
  if (is_named) line.of(name);
  if (written.empty()) return;
  const bool keeps_all = is_named || last.empty();
  const std::string parent = keeps_all ? written : path.parent_path().string();
  if (parent.empty()) {
    line.of(folder);
    return;
  }
  Setting& output = in.draft.set("output", as_path(parent)).of(folder);
  if (path.is_relative() && !parent.starts_with("~")) output.noted("relative to this file");
}

void device(Translation& in) {
  Item* cpu = in.theirs.find(Part::cpu);
  Item* type = in.theirs.find(Part::distributed_type);
  const std::string kind_of_processes = type ? last_name(text_of(*type)) : "";
  const bool is_cpu = cpu && truth_of(*cpu) == true;
  if (is_cpu || kind_of_processes == "multi_cpu") {
    Setting& line = in.draft.set("device", "cpu");
    if (is_cpu) line.of(cpu);
    if (kind_of_processes == "multi_cpu") line.of(type);
    return;
  }
  if (kind_of_processes == "multi_gpu") {
    in.draft.set("device", "cuda").of(type);
    return;
  }
  Item* device = in.theirs.find(Part::device);
  if (!device) return;
  const std::string text = text_of(*device);
  const std::string kind = text.substr(0, text.find(':'));
  // The number of a device, as in cuda:1, is left out: which GPU is free depends on the machine.
  if (kind == "cuda" || kind == "cpu") {
    in.draft.set("device", kind).of(device);
  } else {
    device->fate = Fate::without;
    device->reason = "knead trains on CPUs and CUDA";
  }
}

}  // namespace

void translate_run(Translation& in) {
  in.draft.set("version", "1");
  name_and_output(in);
  if (const auto seed = in.theirs.number(Part::seed); seed && *seed >= 0)
    in.draft.set("seed", fmt::format("{:.0f}", *seed)).of(in.theirs.find(Part::seed));
  device(in);
  if (Item* threads = in.theirs.find(Part::threads); threads && !threads->is_off())
    in.draft.set("threads", number_as_yaml(*threads)).of(threads);
  if (in.theirs.truth(Part::deterministic) == true)
    in.draft.set("deterministic", "true").of(in.theirs.find(Part::deterministic));
}

void translate_model(Translation& in) {
  Setting& source = in.draft.leave_open("model.source", "the file of the model, as PyTorch source");
  for (Item* item : in.theirs.all(Part::model)) source.of(item);
  if (!source.from.empty()) source.noted("model.weights can begin with weights of theirs");
}

namespace {

bool is_cross_entropy(const std::string& loss) {
  const std::string name = last_name(loss);
  return name.find("crossentropy") != std::string::npos || name == "cewithchunkedoutputloss";
}

/// Returns the keys for a training objective other than a loss on given targets.
std::vector<Item*> other_aims(Theirs& theirs) {
  std::vector<Item*> aims = theirs.all(Part::other_aim);
  std::erase_if(aims, [](const Item* aim) { return aim->is_off(); });
  return aims;
}

void loss_type(Translation& in, bool smooths) {
  Item* loss = in.theirs.find(Part::loss);
  const std::vector<Item*> aims = other_aims(in.theirs);
  const bool is_usual =
      loss ? is_cross_entropy(text_of(*loss)) : in.theirs.peer().trains_language_models || smooths;
  if (aims.empty() && is_usual) {
    in.draft.set("loss.type", "cross_entropy").of(loss);
    return;
  }
  const bool is_in_model = in.theirs.peer().name == "transformers";
  Setting& line = in.draft.leave_open("loss.type", "cross_entropy, mse, script, …").of(loss);
  if (is_in_model)
    line.noted("theirs is mostly in the model: cross_entropy for classes and tokens");
  for (Item* aim : aims) line.of(aim);
}

void loss_target(Translation& in) {
  Item* target = in.theirs.find(Part::target);
  const bool is_list = target && target->value.is_list();
  const std::string name = !target ? "" : is_list ? target->value.items[0].text : text_of(*target);
  if (in.theirs.peer().trains_language_models) {
    in.draft.set("loss.target", "targets").noted("the token that follows each");
  } else if (!name.empty()) {
    in.draft.set("loss.target", schema::text_as_yaml(name)).of(target);
  } else {
    in.draft.leave_open("loss.target", "the field of the data that holds what is right");
  }
}

}  // namespace

void translate_loss(Translation& in) {
  Item* smoothing = in.theirs.find(Part::label_smoothing);
  const bool smooths = smoothing && number_of(*smoothing).value_or(0) > 0;
  loss_type(in, smooths);
  if (smooths) in.draft.set("loss.label_smoothing", number_as_yaml(*smoothing)).of(smoothing);
  loss_target(in);
}

}  // namespace knead::peers
