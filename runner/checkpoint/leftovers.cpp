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
    std::vector<files::Entry> entries = files::list_sorted(files, checkpoints);
    std::erase_if(entries, [](const files::Entry& entry) {
      return !entry.is_folder || !is_temporary(entry.name);
    });
    if (entries.empty()) return;
    // Rotation has renamed some of them from checkpoints. The renames must be durable before files
    // are deleted: else a power cut may bring the old name back without its files.
    files::sync_folder(files, checkpoints);
    for (const files::Entry& entry : entries) {
      // Each folder by itself: one that cannot be removed must not keep the others.
      noting([&] { files::remove_flat_folder(files, checkpoints / entry.name); });
    }
  });
  return notes;
}

}  // namespace knead::checkpoint
