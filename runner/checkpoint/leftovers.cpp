#include "runner/checkpoint/leftovers.h"

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/files/folders.h"

namespace knead::checkpoint {

std::vector<std::string> remove_leftovers(files::FileSystem& files,
                                          const std::filesystem::path& checkpoints) {
  std::vector<std::string> notes;
  const auto noting = [&](const auto& act) {
    try {
      act();
    } catch (const files::FileError& error) {
      notes.push_back(fmt::format("a folder that nobody needs may stay: {}", error.what()));
    }
  };
  noting([&] {
    for (const files::Entry& entry : files::list_sorted(files, checkpoints)) {
      if (!is_temporary(entry.name) || !entry.is_folder) continue;
      noting([&] { files::remove_flat_folder(files, checkpoints / entry.name); });
    }
  });
  return notes;
}

}  // namespace knead::checkpoint
