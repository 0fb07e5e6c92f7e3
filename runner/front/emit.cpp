#include "runner/front/emit.h"

#include <filesystem>

#include <fmt/format.h>

#include "runner/front/engine.h"
#include "runner/front/terminal.h"
#include "runner/launch/clusters/kubernetes.h"
#include "runner/launch/clusters/kubernetes_sweep.h"
#include "runner/launch/clusters/slurm.h"
#include "runner/launch/clusters/slurm_array.h"
#include "runner/plan/resolve.h"

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

/// Collects what a cluster needs to know. The GPUs of this machine say nothing of those of a
/// cluster, so that ranks: auto is one rank.
launch::ClusterJob job_of(const recipe::Recipe& recipe, std::vector<std::string> words) {
  launch::ClusterJob job{.name = recipe.name,
                         .words = std::move(words),
                         .ranks = plan::number_of_ranks(recipe, {}),
                         .restarts = recipe.distributed.restarts,
                         .threads = recipe.threads,
                         .is_cuda = recipe.device == recipe::Recipe::Device::cuda};
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
  const EngineCall call = call_of_engine("run", arguments);
  const launch::ClusterJob job = job_of(call.recipe, words_of(arguments));
  print(is_slurm(arguments) ? launch::slurm_script(job) : launch::kubernetes_manifest(job));
  return Exit::done;
}

Exit emit_sweep(const Arguments& arguments, const recipe::Recipe& recipe, std::int64_t trials) {
  const launch::ClusterSweep sweep{.name = recipe.name,
                                   .words = words_of(arguments),
                                   .trials = trials,
                                   .ranks = plan::number_of_ranks(recipe, {}),
                                   .threads = recipe.threads,
                                   .is_cuda = recipe.device == recipe::Recipe::Device::cuda};
  print(is_slurm(arguments) ? launch::slurm_array_script(sweep)
                            : launch::kubernetes_sweep_manifest(sweep));
  return Exit::done;
}

}  // namespace knead::front
