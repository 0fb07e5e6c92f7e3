#include "runner/engine/verbs/call.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <sched.h>
#include <unistd.h>

#include <fmt/format.h>

#include "runner/data/web/fetch_recipe.h"
#include "runner/engine/device/driver.h"
#include "runner/engine/device/start.h"
#include "runner/files/digest.h"
#include "runner/launch/visible_gpus.h"
#include "schema/document/error.h"
#include "schema/document/standard_streams.h"
#include "schema/render.h"

namespace knead::engine {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(message, "knead-engine is started by knead: 'knead help'", Exit::invalid_recipe);
}

/// Reads a length of a run that is not a time; a bare number counts steps.
schema::Quantity length_in(const std::string& word) {
  using schema::Unit;
  static constexpr std::array kUnits{Unit::steps, Unit::epochs, Unit::samples, Unit::tokens};
  const bool is_bare = word.find_first_not_of("0123456789") == std::string::npos;
  const auto read = schema::read_quantity(is_bare ? word + " steps" : word, kUnits);
  const auto* length = std::get_if<schema::Quantity>(&read);
  if (!length || !(length->value >= 0 && length->value < 1e18))
    refuse(fmt::format("'{}' is no length of a run", word));
  return *length;
}

int count_in(const std::string& word) {
  int value = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || read.ptr != word.data() + word.size() || read.ec != std::errc() || value < 0)
    refuse(fmt::format("'{}' is no count", word));
  return value;
}

void check_ranks(const Call& call) {
  if (call.rank >= call.ranks)
    refuse(fmt::format("there is no rank {} of {}", call.rank, call.ranks));
  if (call.local_rank >= call.local_ranks)
    refuse(
        fmt::format("there is no rank {} of {} on a machine", call.local_rank, call.local_ranks));
  if (call.ranks > 1 && call.rendezvous.empty())
    refuse(fmt::format("{} ranks need a rendezvous", call.ranks));
}

void read_option(const std::string& word, Call& call) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, equals);
  const std::string value = equals < word.size() ? word.substr(equals + 1) : "";
  if (name == "--digest") {
    call.digest = value;
  } else if (name == "--fresh") {
    call.fresh = true;
  } else if (name == "--tells") {
    call.tells = true;
  } else if (name == "--stop-after") {
    call.stop_after = length_in(value);
  } else if (name == "--rank") {
    call.rank = count_in(value);
  } else if (name == "--ranks") {
    call.ranks = count_in(value);
  } else if (name == "--local-rank") {
    call.local_rank = count_in(value);
  } else if (name == "--local-ranks") {
    call.local_ranks = count_in(value);
  } else if (name == "--beside") {
    call.beside = count_in(value);
  } else if (name == "--start") {
    call.start = value;
  } else if (name == "--rendezvous") {
    call.rendezvous = value;
  } else if (name == "--to") {
    call.to = value;
  } else if (name == "--out") {
    call.out = value;
  } else if (name == "--set" || name == "--data") {
    call.set = value;
  } else if (name == "--prompt") {
    call.prompt = value;
  } else if (name == "--prompts") {
    call.prompts = value;
  } else if (name == "--tokens") {
    call.tokens = static_cast<std::uint64_t>(count_in(value));
  } else if (name == "--format") {
    call.format = value;
  } else {
    refuse(fmt::format("there is no option '{}'", name));
  }
}

/// Returns the cores that a process may use, 0 for this one; containers and taskset allow fewer
/// than the machine has.
std::int64_t cores_of(pid_t process) {
  cpu_set_t set;
  return sched_getaffinity(process, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/// Returns the machine as one of several ranks or trials finds it: they divide its cores among
/// them, unless a launcher such as mpirun has bound each to its own.
plan::Machine share_of_machine(const Call& call) {
  plan::Machine machine = this_machine();
  const bool is_bound = machine.cores < cores_of(getppid());
  const std::int64_t shares = std::int64_t{call.local_ranks} * std::max(call.beside, 1);
  if (!is_bound) machine.cores = std::max<std::int64_t>(machine.cores / shares, 1);
  return machine;
}

std::int64_t count_visible_gpus() {
  return static_cast<std::int64_t>(launch::visible_gpus(schema::this_world().environment).size());
}

/// Returns whether `device: auto` of a recipe is a GPU. The driver, which takes up to a second to
/// load, is asked only where the system shows a GPU.
bool auto_is_cuda(const recipe::Recipe& recipe, const Call& call) {
  if (recipe.device != recipe::Recipe::Device::auto_) return false;
  if (count_visible_gpus() == 0) return false;
  if (driver_has_gpu()) return true;
  if (call.rank == 0)
    tell(
        "warning: this machine has a GPU that its driver does not show; device: auto is the CPU\n"
        "     = 'nvidia-smi' says what is wrong; device: cpu says nothing of it\n");
  return false;
}

/// Returns the settings for LibTorch, and loads its CUDA library if the recipe uses a GPU. Each
/// rank of a machine has a GPU of its own.
Execution execution_of(const recipe::Recipe& recipe, const plan::Machine& machine, int local_rank) {
  Execution execution{plan::most_threads(recipe, machine), *recipe.deterministic};
  if (recipe.device == recipe::Recipe::Device::cuda) execution.gpu = local_rank;
  execution.tf32 = recipe.precision.compute == recipe::Precision::Compute::tf32;
  if (execution.gpu) load_cuda();
  return execution;
}

}  // namespace

Call read_call(const std::vector<std::string>& words) {
  Call call;
  call.local_ranks = 0;  // not said yet
  if (words.empty()) refuse("a verb is missing");
  call.verb = words[0];
  bool options_may_follow = true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--" && options_may_follow) {
      options_may_follow = false;
    } else if (word.starts_with("--") && options_may_follow) {
      read_option(word, call);
    } else if (call.file.empty()) {
      call.file = word;
    } else {
      call.overrides.push_back(word);
    }
  }
  if (call.local_ranks == 0) {
    call.local_rank = call.rank;
    call.local_ranks = call.ranks;
  }
  check_ranks(call);
  return call;
}

plan::Machine this_machine() {
  return {cores_of(0), /*has_cuda=*/false, std::filesystem::current_path()};
}

Understood understand(const Call& call) {
  if (call.file.empty()) refuse("a recipe is missing");
  // A trial has what the serving engine has loaded.
  schema::Understood read =
      !call.loaded ? schema::load(call.file, call.overrides, schema::this_world()) : *call.loaded;
  if (!call.digest.empty() && call.digest != files::digest(schema::render(read.tree))) {
    throw Error(fmt::format("the recipe '{}' changed while starting", call.file),
                "start again; if it stays so, knead and knead-engine are of different builds: run "
                "tools/build");
  }
  Understood understood{std::move(read.recipe), std::move(read.tree)};
  plan::Machine machine = share_of_machine(call);
  machine.has_cuda = auto_is_cuda(understood.recipe, call);
  if (plan::uses_cuda(understood.recipe, machine)) {
    expect_gpu(call.local_rank);
    machine.gpus = count_visible_gpus();  // for plan: as many ranks as `run` starts
  }
  // The front has counted the GPUs where the recipe leaves the number of ranks open. plan describes
  // the ranks of the recipe, and has none.
  if (call.verb != "plan") understood.recipe.distributed.ranks = call.ranks;
  plan::resolve(understood.recipe, machine);
  data::fetch_recipe(understood.recipe, data::say_on_stderr);
  start_torch(execution_of(understood.recipe, machine, call.local_rank));
  return understood;
}

}  // namespace knead::engine
