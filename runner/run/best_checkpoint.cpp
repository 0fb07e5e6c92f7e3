#include "runner/run/best_checkpoint.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "schema/document/error.h"

namespace knead::run {

using checkpoint::Listed;

Preference by_preference(const std::vector<Listed>& checkpoints,
                         const plan::Evaluations& evaluations, const plan::Objective& objective) {
  Preference out{{checkpoints.rbegin(), checkpoints.rend()}, false};
  const std::vector<std::uint64_t> best = plan::best_steps(evaluations, objective, 1);
  if (best.empty()) return out;
  const auto of_best = std::find_if(out.checkpoints.begin(), out.checkpoints.end(),
                                    [&](const Listed& each) { return each.step == best[0]; });
  // Rotation keeps best checkpoints, but the user may have deleted one or set keep.best to 0.
  out.begins_with_best = of_best != out.checkpoints.end();
  if (out.begins_with_best) std::rotate(out.checkpoints.begin(), of_best, of_best + 1);
  return out;
}

Standing take_first_whole(const Preference& preference, const std::filesystem::path& run_folder,
                          const std::function<void(const Listed&)>& take) {
  std::vector<std::string> left_out;
  for (const Listed& each : preference.checkpoints) {
    try {
      // A manifest that could not be read is handled as damage that `take` finds.
      if (!each.manifest) throw checkpoint::Damaged(each.damage);
      take(each);
      return {each, preference.begins_with_best && left_out.empty(), std::move(left_out)};
    } catch (const checkpoint::Damaged& damaged) {
      left_out.push_back(
          fmt::format("{} is left out: {}", checkpoint::step_name(each.step), damaged.what()));
    }
  }
  throw Error(fmt::format("'{}' holds no checkpoint that is whole", run_folder.string()),
              "knead verify says what is wrong with them");
}

}  // namespace knead::run
