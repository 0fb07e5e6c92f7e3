#include "runner/engine/job/start_files.h"

#include <filesystem>

#include "runner/engine/job/divide.h"
#include "runner/files/scratch_memory.h"
#include "schema/document/error.h"

namespace knead::engine {

std::unique_ptr<ScratchTensors> files_of_start(const recipe::Recipe& recipe, int ranks) {
  const bool may_have_units =
      has_units(recipe) || recipe.distributed.strategy == recipe::Distributed::Strategy::auto_;
  if (!divides(recipe, ranks) || !may_have_units) return nullptr;
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

void end_start(std::unique_ptr<ScratchTensors>& files, bool has_units) {
  if (files && !has_units) files->move_to_memory();
  files.reset();
}

}  // namespace knead::engine
