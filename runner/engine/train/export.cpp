#include "runner/engine/train/export.h"

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
    // Into memory first: LibTorch's own writer never looks whether closing a file worked.
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

std::uint64_t best_step(const recipe::Recipe& recipe, const plan::Evaluations& evaluations,
                        const std::vector<checkpoint::Listed>& checkpoints) {
  const auto objective = plan::objective(recipe.evaluate.monitor, recipe.evaluate.metrics);
  for (const std::uint64_t step : plan::best_steps(evaluations, objective, 1)) {
    for (const checkpoint::Listed& each : checkpoints) {
      if (each.step == step && each.manifest) return step;
    }
  }
  return checkpoints.back().step;
}

}  // namespace knead::engine
