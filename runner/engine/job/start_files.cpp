#include "runner/engine/job/start_files.h"

#include <filesystem>

#include "runner/engine/job/divide.h"
#include "runner/files/scratch_memory.h"
#include "schema/document/error.h"

namespace knead::engine {

std::unique_ptr<ScratchTensors> files_of_start(const recipe::Recipe& recipe, int ranks) {
  if (!divides(recipe, ranks) || !has_units(recipe)) return nullptr;
  const auto& offload = recipe.distributed.offload;
  try {
    return std::make_unique<ScratchTensors>(files::ScratchMemory::in(
        offload && offload->path ? std::filesystem::path(*offload->path)
                                 : std::filesystem::temp_directory_path()));
  } catch (const Error&) {
    return nullptr;  // an offload that needs the folder refuses it
  } catch (const std::filesystem::filesystem_error&) {
    return nullptr;  // there is no folder for temporary files
  }
}

void make_in(ScratchTensors* files, const std::function<void()>& work) {
  if (files) return files->make(work);
  work();
}

}  // namespace knead::engine
