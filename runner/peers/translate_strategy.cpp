#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "runner/peers/translate.h"
#include "schema/document/suggest.h"

namespace knead::peers {
namespace {

/// Describes, as a strategy of knead, how the original run divided its model.
struct Holding {
  std::string strategy;  // empty: the keys do not tell
  /// The ranks of a machine shared a model, and each machine had a copy.
  bool is_by_machine = false;
  bool is_elsewhere = false;  // a part was in the memory of the host
  Item* said_by = nullptr;
};

/// The words of "full_shard auto_wrap", of a list of them, or of a single one, folded.
std::vector<std::string> words_in(const Item& item) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& text) {
    std::string word;
    for (const char c : text + " ") {
      if (c != ' ' && c != ',') {
        word += c;
      } else if (!word.empty()) {
        // ShardingStrategy.FULL_SHARD is a name too.
        words.push_back(schema::folded(word.substr(word.rfind('.') + 1)));
        word.clear();
      }
    }
  };
  if (item.value.is_scalar()) add(item.value.text);
  for (const schema::Node& each : item.value.items) add(each.text);
  return words;
}

/// FSDP's strategies by name, and by the number that older versions of Accelerate write.
void take_word(const std::string& word, Holding& holding) {
  const auto is = [&](const char* name, const char* number) {
    return word == name || word == number;
  };
  if (is("fullshard", "1") || word == "true") holding.strategy = "zero3";
  if (is("shardgradop", "2")) holding.strategy = "zero2";
  if (is("noshard", "3")) holding.strategy = "data_parallel";
  if (is("hybridshard", "4")) holding.strategy = "zero3";
  if (is("hybridshardzero2", "5")) holding.strategy = "zero2";
  holding.is_elsewhere |= word == "offload";
  holding.is_by_machine |= is("hybridshard", "4") || is("hybridshardzero2", "5");
}

Holding of_stage(Item* item) {
  const double stage = number_of(*item).value_or(-1);
  if (stage == 0) return {.strategy = "data_parallel", .said_by = item};
  if (stage < 1 || stage > 3) return {};
  return {.strategy = fmt::format("zero{:.0f}", stage), .said_by = item};
}

Holding of_words(Item* item) {
  Holding holding;
  holding.said_by = item;
  for (const std::string& word : words_in(*item)) take_word(word, holding);
  return holding;
}

/// FSDP 2 frees parameters after forward, or keeps them until backward is done.
Holding of_reshard(Item* item) {
  if (const std::optional<bool> frees = truth_of(*item))
    return {.strategy = *frees ? "zero3" : "zero2", .said_by = item};
  return of_words(item);
}

/// The type of processes in Accelerate's configuration, or an empty text.
std::string type_of(Translation& in) { return last_name(in.theirs.text(Part::distributed_type)); }

Holding held(Translation& in) {
  const std::string type = type_of(in);
  const bool is_zero = type.empty() || type == "deepspeed";
  const bool is_fsdp = type.empty() || type == "fsdp";
  if (Item* item = in.theirs.find(Part::zero_stage); item && is_zero) return of_stage(item);
  for (Item* item : in.theirs.all(Part::sharding)) {
    if (Holding holding = of_words(item); is_fsdp && !holding.strategy.empty()) return holding;
  }
  if (Item* item = in.theirs.find(Part::reshard); item && is_fsdp) return of_reshard(item);
  Item* shards = in.theirs.find(Part::shards);
  const double count = shards ? number_of(*shards).value_or(0) : 0;
  if (count > 1 || count == -1) return {.strategy = "zero3", .said_by = shards};
  if (type == "fsdp") return {.strategy = "zero3"};
  return {};
}

double count_of(Item* item) { return item ? number_of(*item).value_or(0) : 0; }

/// Counts the copies of the model: as many as machines, or as a key says.
void replicas(Translation& in, const Holding& holding) {
  Item* item = in.theirs.find(Part::replicas);
  const double machines = count_of(in.theirs.find(Part::machines));
  if (count_of(item) > 1) {
    Setting& line = in.draft.set("distributed.replicas", number_as_yaml(*item));
    if (item->fate == Fate::open) line.of(item);
    line.noted("each of which holds one whole model");
  } else if (holding.is_by_machine && machines > 1) {
    in.draft.set("distributed.replicas", fmt::format("{:.0f}", machines))
        .noted("a whole model on each machine");
  }
}

/// Gives the keys that say nothing beside the chosen strategy a fate.
void settle_strategy(Translation& in) {
  const std::string type = type_of(in);
  const std::string other = type.empty() ? "another key says what a rank holds"
                                         : fmt::format("distributed_type is {}", type);
  for (const Part part : {Part::zero_stage, Part::sharding, Part::reshard})
    in.theirs.set_idle(part, other);
}

bool says(const Draft& draft, std::string_view path, std::string_view value) {
  return std::any_of(draft.settings().begin(), draft.settings().end(),
                     [&](const Setting& line) { return line.path == path && line.value == value; });
}

/// Returns what knead keeps elsewhere where the original run kept its parameters there: a rank owns
/// a part of them only with zero3.
std::string what_of_parameters(const Draft& draft) {
  return says(draft, "distributed.strategy", "zero3") ? "parameters" : "optimizer";
}

/// Writes that all was in the memory of the host: parameters, gradients and the state.
void keep_as_fsdp(Translation& in, Item* said_by) {
  const std::string what = what_of_parameters(in.draft);
  Setting& line = in.draft.set("distributed.offload", what).of(said_by);
  if (what == "optimizer") line.noted("parameters stay on the device");
}

/// Writes what DeepSpeed kept in the memory of the host, or in files of a folder.
void keep(Translation& in, const std::string& what, Item* device, Item* path) {
  const std::string word = schema::folded(device->value.text);
  if (word == "cpu") {
    in.draft.set("distributed.offload", what).of(device);
  } else if (word != "nvme") {
    device->fate = Fate::off;
  } else {
    if (what != "optimizer") in.draft.set("distributed.offload.what", what).of(device);
    if (path) {
      in.draft.set("distributed.offload.path", path->value.text).of(device).of(path);
    } else {
      in.draft.leave_open("distributed.offload.path", "a folder of a local disk").of(device);
    }
  }
}

/// Returns whether DeepSpeed's word for a device names a place other than the GPU.
bool is_elsewhere(const Item* device) {
  if (!device || device->fate != Fate::open) return false;
  const std::string word = schema::folded(device->value.text);
  return word == "cpu" || word == "nvme";
}

/// Writes where DeepSpeed kept the optimizer's state and the parameters.
void keep_of_devices(Translation& in) {
  Item* const state = in.theirs.find(Part::offload_device);
  Item* const parameters = in.theirs.find(Part::parameters_device);
  if (is_elsewhere(parameters)) {
    const bool also = what_of_parameters(in.draft) == "parameters";
    if (also) {
      keep(in, "parameters", parameters, in.theirs.find(Part::parameters_path));
      in.theirs.set_idle(Part::offload_device, "the state is kept where the parameters are");
    } else {
      in.theirs.set_idle(Part::parameters_device, "without zero3 each rank needs its parameters");
    }
  } else if (parameters && parameters->fate == Fate::open) {
    parameters->fate = Fate::off;
  }
  if (state && state->fate == Fate::open)
    keep(in, "optimizer", state, in.theirs.find(Part::offload_path));
  for (const Part part : {Part::offload_path, Part::parameters_path})
    in.theirs.set_idle(part, "nothing of it is kept on a disk");
}

}  // namespace

void translate_strategy(Translation& in) {
  const Holding holding = held(in);
  Item* type = in.theirs.find(Part::distributed_type);
  const std::string name = type_of(in);
  const bool is_type_of_shards = name == "fsdp" || name == "deepspeed";
  if (holding.strategy == "data_parallel") {
    for (Item* item : {holding.said_by, is_type_of_shards ? type : nullptr}) {
      if (!item) continue;
      // A stage of 0 is off, which needs no word.
      item->fate = item->is_off() ? Fate::off : Fate::no_need;
      item->reason = "without a strategy each rank holds the whole model";
    }
  } else if (!holding.strategy.empty()) {
    Setting& line = in.draft.set("distributed.strategy", holding.strategy);
    if (is_type_of_shards) line.of(type);
    if (holding.said_by && holding.said_by->fate == Fate::open) line.of(holding.said_by);
    if (holding.is_by_machine && count_of(in.theirs.find(Part::machines)) < 2)
      line.noted("with 'replicas' of as many as there were machines");
    replicas(in, holding);
    if (holding.is_elsewhere) keep_as_fsdp(in, holding.said_by);
  } else if (is_type_of_shards) {
    in.draft.leave_open("distributed.strategy", "zero1, zero2 or zero3").of(type);
  }
  settle_strategy(in);
}

void translate_offload(Translation& in) {
  if (says(in.draft, "device", "cpu")) {
    for (const Part part : {Part::offload_device, Part::parameters_device, Part::offload_all})
      in.theirs.set_idle(part, "with device cpu all is in the memory of the host");
  }
  keep_of_devices(in);
  Item* all = in.theirs.find(Part::offload_all);
  if (!all || all->fate != Fate::open || !truth_of(*all)) return;
  if (!*truth_of(*all)) {
    all->fate = Fate::off;
    return;
  }
  if (in.draft.has("distributed.offload"))
    return in.theirs.set_idle(Part::offload_all, "another key says it");
  keep_as_fsdp(in, all);
}

}  // namespace knead::peers
