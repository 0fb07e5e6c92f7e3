#include "runner/front/emit.h"

#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "runner/front/engine.h"
#include "runner/launch/clusters/kubernetes.h"
#include "runner/launch/clusters/kubernetes_sweep.h"
#include "runner/launch/clusters/slurm.h"
#include "runner/launch/clusters/slurm_array.h"
#include "runner/plan/resolve.h"
#include "schema/document/standard_streams.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

/// Returns the path of a recipe from the current folder, which pods see under another name. Throws
/// knead::Error if the recipe lies elsewhere.
std::string path_in_folder(const std::string& file) {
  const fs::path inside = fs::absolute(file).lexically_relative(fs::current_path());
  if (inside.empty() || *inside.begin() == "..")
    throw Error(
        fmt::format("'{}' lies outside of the current folder, which is all that pods see", file),
        "call knead in a folder that holds recipe, model and data", Exit::invalid_recipe);
  return inside.lexically_normal().string();
}

/// Notes which environment variables a recipe refers to while it is loaded.
class NotedVariables {
 public:
  /// Returns the world of this process, whose variables are noted when they are asked for. This
  /// object must outlive it.
  schema::World world() {
    schema::World world = schema::this_world();
    world.environment = [this, read = world.environment](const std::string& name) {
      const auto value = read(name);
      has_default_[name] = !value;  // without a default the recipe would be refused
      return value;
    };
    return world;
  }

  /// Returns what was noted, in order of the names.
  std::vector<launch::ClusterVariable> list() const {
    std::vector<launch::ClusterVariable> variables;
    for (const auto& [name, has_default] : has_default_) variables.push_back({name, has_default});
    return variables;
  }

 private:
  std::map<std::string, bool> has_default_;
};

/// Collects what a cluster needs to know. The GPUs of this machine say nothing of those of a
/// cluster, so that ranks: auto is one rank.
launch::ClusterJob job_of(const recipe::Recipe& recipe, std::vector<std::string> words,
                          const NotedVariables& variables) {
  launch::ClusterJob job{.name = recipe.name,
                         .words = std::move(words),
                         .ranks = plan::number_of_ranks(recipe, {}),
                         .restarts = recipe.distributed.restarts,
                         .threads = recipe.threads,
                         .is_cuda = recipe.device == recipe::Recipe::Device::cuda,
                         .variables = variables.list()};
  if (recipe.train.time_limit) job.time_limit = recipe.train.time_limit->value;
  return job;
}

bool is_slurm(const Arguments& arguments) { return arguments.get("emit", "") == "slurm"; }

/// Returns the recipe and its overrides as the cluster's shell gives them.
std::vector<std::string> words_of(const Arguments& arguments) {
  const std::string& file = arguments.files[0];
  std::vector<std::string> words{is_slurm(arguments) ? file : path_in_folder(file)};
  words.insert(words.end(), arguments.overrides.begin(), arguments.overrides.end());
  return words;
}

}  // namespace

Exit emit(const Arguments& arguments) {
  if (arguments.has("fresh"))
    throw Error("'--emit' and '--fresh' exclude each other",
                "a job that is queued again would start over each time: name=… begins another run",
                Exit::invalid_recipe);
  NotedVariables variables;
  const EngineCall call = call_of_engine("run", arguments, {}, /*warns=*/true, variables.world());
  const launch::ClusterJob job = job_of(call.recipe, words_of(arguments), variables);
  print(is_slurm(arguments) ? launch::slurm_script(job) : launch::kubernetes_manifest(job));
  return Exit::done;
}

Exit emit_sweep(const Arguments& arguments, const recipe::Recipe& recipe, std::int64_t trials) {
  NotedVariables variables;
  schema::load(arguments.files[0], arguments.overrides, variables.world());
  const launch::ClusterSweep sweep{.name = recipe.name,
                                   .words = words_of(arguments),
                                   .trials = trials,
                                   .ranks = plan::number_of_ranks(recipe, {}),
                                   .threads = recipe.threads,
                                   .is_cuda = recipe.device == recipe::Recipe::Device::cuda,
                                   .variables = variables.list()};
  print(is_slurm(arguments) ? launch::slurm_array_script(sweep)
                            : launch::kubernetes_sweep_manifest(sweep));
  return Exit::done;
}

}  // namespace knead::front
