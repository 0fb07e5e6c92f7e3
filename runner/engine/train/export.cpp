#include "runner/engine/train/export.h"

#include <algorithm>
#include <sstream>

#include "runner/engine/job/model_place.h"
#include "runner/engine/train/snapshot.h"
#include "runner/files/file.h"
#include "runner/files/safetensors.h"
#include "runner/plan/decide.h"
#include "runner/weights/write.h"

namespace knead::engine {

void write_model(const model::Model& model, recipe::Export::To format, files::FileSystem& disk,
                 const std::filesystem::path& path) {
  if (format == recipe::Export::To::torchscript) {
    // Written to memory first, because LibTorch's file writer does not check whether closing the
    // file succeeded.
    std::ostringstream archive;
    const InHostMemory there(model);
    model.save(archive);
    files::publish(disk, path, archive.str());
  } else {
    write_weights(model_part(model, nullptr), format, disk, path);
  }
}

void write_weights(const checkpoint::Part& part, recipe::Export::To format, files::FileSystem& disk,
                   const std::filesystem::path& path) {
  files::publish(disk, path,
                 format == recipe::Export::To::torch
                     ? weights::torch_file(part.tensors, part.metadata)
                     : files::safetensors(part.tensors, part.metadata));
}

const char* export_name(recipe::Export::To format) {
  switch (format) {
    case recipe::Export::To::torchscript: return "model.pt";
    case recipe::Export::To::safetensors: return "model.safetensors";
    case recipe::Export::To::torch: return "model.torch.pt";
  }
  return "";
}

std::vector<std::uint64_t> preferred_steps(const recipe::Recipe& recipe,
                                           const plan::Evaluations& evaluations,
                                           const std::vector<checkpoint::Listed>& checkpoints) {
  const auto objective = plan::objective(recipe.evaluate.monitor, recipe.evaluate.metrics);
  const std::vector<std::uint64_t> best = plan::best_steps(evaluations, objective, 1);
  std::vector<std::uint64_t> steps;
  for (auto each = checkpoints.rbegin(); each != checkpoints.rend(); ++each)
    steps.push_back(each->step);
  std::stable_partition(steps.begin(), steps.end(),
                        [&](std::uint64_t step) { return !best.empty() && step == best[0]; });
  return steps;
}

}  // namespace knead::engine
