// knead-engine VERB FILE key=value …: one rank. Started by knead, which checked the recipe before.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <sched.h>

#include <fmt/format.h>

#include "runner/engine/driver.h"
#include "runner/engine/measure.h"
#include "runner/engine/start.h"
#include "runner/engine/summary.h"
#include "runner/files/digest.h"
#include "runner/plan/resolve.h"
#include "schema/error.h"
#include "schema/load.h"
#include "schema/problem_text.h"
#include "schema/render.h"

namespace knead::engine {
namespace {

constexpr std::string_view kDigest = "--digest=";

struct Call {
  std::string verb;
  std::string file;
  std::string digest;  // of the recipe as the front understood it; empty if it does not say
  std::vector<std::string> overrides;
};

[[noreturn]] void refuse_usage(const std::string& message) {
  throw Error(message, "knead-engine is started by knead: 'knead help'", Exit::invalid_recipe);
}

Call read_call(const std::vector<std::string>& words) {
  Call call;
  if (words.empty()) refuse_usage("a verb is missing");
  call.verb = words[0];
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") continue;
    if (word.starts_with(kDigest)) {
      call.digest = word.substr(kDigest.size());
    } else if (call.file.empty()) {
      call.file = word;
    } else {
      call.overrides.push_back(word);
    }
  }
  return call;
}

/// The cores that this process may use: containers and taskset give fewer than the machine has.
std::int64_t cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

plan::Machine this_machine() {
  return {cores(), driver_has_gpu(), std::filesystem::current_path()};
}

Exit env() {
  const plan::Machine machine = this_machine();
  std::string cuda = "no driver, or no device";
  if (machine.has_cuda) {
    try {
      load_cuda();
      cuda = "a driver and a device; LibTorch's CUDA half is loaded";
    } catch (const Error& error) {
      cuda = error.what();
    }
  }
  start_torch({machine.cores, true});
  fmt::print("libtorch   {}, {} kernels\n", torch_version(), cpu_capability());
  fmt::print("cores      {} for this process\n", machine.cores);
  fmt::print("cuda       {}\n", cuda);
  return Exit::done;
}

Exit run(const Call& call) {
  if (call.file.empty()) refuse_usage("a recipe is missing");
  schema::Understood understood = schema::load(call.file, call.overrides, schema::this_world());
  if (!call.digest.empty() && call.digest != files::digest(schema::render(understood.tree))) {
    throw Error(fmt::format("the recipe '{}' changed while starting", call.file),
                "start again; if it stays so, knead and knead-engine are of different builds: run "
                "tools/build");
  }
  const plan::Machine machine = this_machine();
  recipe::Recipe& recipe = understood.recipe;
  plan::resolve(recipe, machine);
  const bool uses_cuda = plan::uses_cuda(recipe, machine);
  if (uses_cuda && !machine.has_cuda) {
    throw Error("device is cuda, and there is no NVIDIA driver with a device",
                "write device: cpu, or auto");
  }
  if (uses_cuda) load_cuda();
  start_torch({*recipe.threads, *recipe.deterministic});
  std::fputs(summary(recipe, uses_cuda).c_str(), stderr);
  std::fputs(measure(recipe).c_str(), stderr);
  std::fputs("understood; this version reads recipes and data, it does not train yet\n", stderr);
  return Exit::done;
}

Exit dispatch(const Call& call) {
  if (call.verb == "run") return run(call);
  if (call.verb == "env") return env();
  refuse_usage(fmt::format("there is no verb '{}'", call.verb));
}

int guarded(const std::vector<std::string>& words) {
  const auto complain = [](const std::string& message, const std::string& remedy) {
    std::fprintf(stderr, "knead-engine: %s\n", message.c_str());
    if (!remedy.empty()) std::fprintf(stderr, "     = %s\n", remedy.c_str());
  };
  try {
    return static_cast<int>(dispatch(read_call(words)));
  } catch (const schema::InvalidRecipe& invalid) {
    std::fputs(schema::to_text(invalid.problems()).c_str(), stderr);
    return static_cast<int>(Exit::invalid_recipe);
  } catch (const Error& error) {
    complain(error.what(), error.remedy());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}", error.what()),
             "please report it, with what 'knead env' prints");
    return static_cast<int>(Exit::internal_error);
  }
}

}  // namespace
}  // namespace knead::engine

int main(int argc, char** argv) { return knead::engine::guarded({argv + 1, argv + argc}); }
