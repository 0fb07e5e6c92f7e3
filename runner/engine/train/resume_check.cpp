#include "runner/engine/train/resume_check.h"

#include <fmt/format.h>

#include "runner/engine/device/device.h"
#include "runner/engine/device/start.h"
#include "schema/document/error.h"
#include "schema/trajectory.h"

namespace knead::engine {

std::vector<std::string> fingerprint(const recipe::Recipe& recipe) {
  std::vector<std::string> facts{"libtorch " + torch_version(), cpu_capability() + " kernels",
                                 fmt::format("{} threads", recipe.threads.value()),
                                 at::DeviceTypeName(device().type(), /*lower_case=*/true)};
  // Another number of samples at once is another order of sums.
  if (recipe.batch.micro) facts.push_back(fmt::format("batch.micro {}", *recipe.batch.micro));
  if (recipe.evaluate.batch)
    facts.push_back(fmt::format("evaluate.batch {}", *recipe.evaluate.batch));
  return facts;
}

std::vector<std::string> check_resume(const recipe::Recipe& recipe,
                                      const std::filesystem::path& folder,
                                      const checkpoint::Manifest* last,
                                      const std::optional<std::string>& weights, Facts& now) {
  std::optional<Facts> before;
  if (last) before = facts_in(*last);
  // Before the comparison below, which covers the identity of the initial weights.
  if (weights) add_weights(now, *weights, before ? &*before : nullptr);
  if (!last) {
    if (recipe.checkpoint.resume != recipe::Checkpoint::Resume::must) return {};
    throw Error(
        fmt::format("checkpoint.resume is must, and {} holds no checkpoint", folder.string()),
        "write resume: auto", Exit::resume_refused);
  }
  const auto changed = schema::changes(before->trajectory, now.trajectory);
  if (!changed.empty()) throw schema::resume_refused(folder.string(), recipe.name, changed);
  std::vector<std::string> differing = differences(*before, now);
  // Stays true: the steps of another machine are in the weights for good.
  now.is_mixed = before->is_mixed || !differing.empty();
  return differing;
}

}  // namespace knead::engine
