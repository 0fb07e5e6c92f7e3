#include "runner/engine/train/export.h"

#include <sstream>

#include "runner/engine/job/model_place.h"
#include "runner/engine/train/snapshot.h"
#include "runner/files/file.h"
#include "runner/files/safetensors.h"
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

}  // namespace knead::engine
