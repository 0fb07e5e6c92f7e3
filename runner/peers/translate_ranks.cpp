#include <cmath>

#include <fmt/format.h>

#include "runner/peers/translate.h"

namespace knead::peers {
namespace {

/// The timeout that Hugging Face's TrainingArguments have by default and that every dump of them
/// contains, in seconds.
constexpr double kUsualTimeout = 1800;

/// The usual reduce_bucket_size of DeepSpeed, in numbers.
constexpr double kUsualBucket = 5e8;

constexpr double kMebibyte = 1024.0 * 1024;

double whole(Item* item) { return item ? std::floor(number_of(*item).value_or(0)) : 0; }

/// Returns the keys that give the number of processes in the original run; empty if no key does.
std::vector<Item*> keys_of_processes(Translation& in) {
  if (Item* item = in.theirs.find(Part::processes); whole(item) >= 1) return {item};
  // Without the number of shards, the number of replicas does not tell the processes.
  Item* shards = in.theirs.find(Part::shards);
  if (whole(shards) < 1) return {};
  Item* replicas = in.theirs.find(Part::replicas);
  if (whole(replicas) < 1) return {shards};
  return {replicas, shards};
}

/// Returns whether Accelerate starts one process only, whatever its other keys say.
bool is_single(Translation& in) {
  Item* type = in.theirs.find(Part::distributed_type);
  return type && in.processes == 0 && last_name(text_of(*type)) == "no";
}

/// Returns the number of processes that a batch is divided among, where the file gives the batch,
/// its micro-batches and their number; otherwise 1.
double processes_of_batch(Translation& in) {
  const double batch = whole(in.theirs.find(Part::global_batch));
  const double of_step =
      whole(in.theirs.find(Part::rank_batch)) * whole(in.theirs.find(Part::accumulation));
  if (batch < 1 || of_step < 1) return 1;
  const double processes = batch / of_step;
  return processes == std::floor(processes) ? processes : 1;
}

double machines(Translation& in) { return std::max(1.0, whole(in.theirs.find(Part::machines))); }

/// Adds the number of machines, which divides the processes, and says what starts the others.
void machines_of(Translation& in, Setting& line) {
  if (machines(in) < 2) return;
  line.joint = " / ";
  line.of(in.theirs.find(Part::machines));
  line.noted("of each machine: torchrun, srun or mpirun starts them there");
}

void ranks(Translation& in) {
  const double all = number_of_processes(in);
  if (all < 2) return;
  const double of_machine = all / machines(in);
  Setting& line = in.draft.set("distributed.ranks", fmt::format("{:.0f}", of_machine));
  if (in.processes > 0) line.noted(fmt::format("--processes={}", in.processes));
  if (in.processes == 0) {
    line.joint = " × ";
    for (Item* item : keys_of_processes(in)) line.of(item);
  }
  if (in.processes == 0 && keys_of_processes(in).empty())
    line.noted("the batch / samples of a process at once / accumulation");
  machines_of(in, line);
}

/// Explains the keys for the number of processes that the line of ranks does not name.
void settle_processes(Translation& in) {
  const std::string reason = in.processes > 0 ? fmt::format("--processes={}", in.processes)
                             : is_single(in)  ? "distributed_type says that there is one process"
                                              : "";
  if (!reason.empty()) in.theirs.set_idle(Part::processes, reason);
  for (const Part part : {Part::replicas, Part::shards})
    in.theirs.set_idle(part, "it does not tell how many processes there were: --processes=N does");
  Item* machines = in.theirs.find(Part::machines);
  if (machines && whole(machines) == 1) machines->fate = Fate::off;
  in.theirs.set_idle(Part::machines, "how many processes there were is not said");
}

void settle_type(Translation& in) {
  Item* type = in.theirs.find(Part::distributed_type);
  if (!type || type->fate != Fate::open || type->is_off()) return;
  const std::string name = last_name(text_of(*type));
  const bool cuts_layers = name == "megatron_lm" || name == "tp";
  type->fate = Fate::without;
  type->reason = cuts_layers
                     ? "no layer is cut over ranks: distributed.strategy cuts what each rank holds"
                     : "knead trains on CPUs and CUDA";
}

/// NCCL is what knead takes between GPUs without a key, and refuses on CPUs.
void backend(Translation& in) {
  Item* backend = in.theirs.find(Part::backend);
  if (!backend || backend->is_off()) return;
  const std::string name = last_name(text_of(*backend));
  if (name == "gloo") {
    in.draft.set("distributed.backend", "gloo").of(backend);
    return;
  }
  backend->fate = name == "nccl" ? Fate::no_need : Fate::without;
  backend->reason = name == "nccl" ? "NCCL carries tensors between GPUs without a key"
                                   : "Gloo or NCCL carries tensors between ranks";
}

void settings(Translation& in) {
  Item* timeout = in.theirs.written(Part::timeout);
  if (whole(timeout) == kUsualTimeout) {
    timeout->fate = Fate::off;
  } else if (whole(timeout) >= 1) {
    in.draft.set("distributed.timeout", quantity(*number_of(*timeout), schema::Unit::seconds))
        .of(timeout);
  }
  Item* bucket = in.theirs.written(Part::bucket);
  if (whole(bucket) >= 1) {
    in.draft
        .set("distributed.bucket", quantity(*number_of(*bucket) * kMebibyte, schema::Unit::bytes))
        .of(bucket);
  }
  Item* numbers = in.theirs.written(Part::bucket_numbers);
  if (numbers && whole(numbers) == kUsualBucket) {
    numbers->fate = Fate::off;
  } else if (whole(numbers) >= 1) {
    in.draft
        .set("distributed.bucket", quantity(whole(numbers) * sizeof(float), schema::Unit::bytes))
        .of(numbers)
        .noted("numbers there, of 4 bytes here");
  }
  Item* sent = in.theirs.written(Part::sent_dtype);
  const std::string dtype = sent ? last_name(text_of(*sent)) : "";
  if (dtype == "bf16" || dtype == "fp16") in.draft.set("distributed.compress", dtype).of(sent);
  Item* buffers = in.theirs.written(Part::broadcast_buffers);
  const std::optional<bool> is_broadcast = buffers ? truth_of(*buffers) : std::nullopt;
  if (is_broadcast)
    in.draft.set("distributed.buffers", *is_broadcast ? "broadcast" : "local").of(buffers);
}

}  // namespace

double number_of_processes(Translation& in) {
  if (is_single(in)) return 1;
  const std::vector<Item*> keys = keys_of_processes(in);
  if (in.processes == 0 && keys.empty()) return processes_of_batch(in);
  double all = std::max(1, in.processes);
  if (in.processes == 0) {
    for (Item* item : keys) all *= whole(item);
  }
  // Accelerate starts equally many processes on each machine and leaves a remainder out.
  return std::max(1.0, std::floor(all / machines(in))) * machines(in);
}

void translate_ranks(Translation& in) {
  ranks(in);
  translate_strategy(in);
  translate_offload(in);
  settle_processes(in);
  settle_type(in);
  backend(in);
  settings(in);
}

}  // namespace knead::peers
