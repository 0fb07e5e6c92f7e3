#include "runner/engine/export.h"

#include <sstream>

#include "runner/engine/snapshot.h"
#include "runner/files/file.h"
#include "runner/files/safetensors.h"

namespace knead::engine {

void write_model(const model::Model& model, recipe::Export::To format, files::FileSystem& disk,
                 const std::filesystem::path& path) {
  if (format == recipe::Export::To::torchscript) {
    // Into memory first: LibTorch's own writer never looks whether closing a file worked.
    std::ostringstream archive;
    model.save(archive);
    files::publish(disk, path, archive.str());
  } else {
    const checkpoint::Part part = model_part(model, nullptr);
    files::publish(disk, path, files::safetensors(part.tensors, part.metadata));
  }
}

const char* export_name(recipe::Export::To format) {
  return format == recipe::Export::To::torchscript ? "model.pt" : "model.safetensors";
}

}  // namespace knead::engine
