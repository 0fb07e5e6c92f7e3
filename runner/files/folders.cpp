#include "runner/files/folders.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include <unistd.h>

#include <fmt/format.h>

#include "runner/files/retry.h"

namespace knead::files {

namespace fs = std::filesystem;

std::vector<Entry> list_sorted(FileSystem& files, const fs::path& folder) {
  std::vector<Entry> out;
  try {
    out = retry("list " + folder.string(), [&] { return files.list(folder); });
  } catch (const FileError& error) {
    if (error.number() != ENOENT) throw;
  }
  std::sort(out.begin(), out.end(),
            [](const Entry& left, const Entry& right) { return left.name < right.name; });
  return out;
}

void make_folder(FileSystem& files, const fs::path& folder) {
  retry("make the folder " + folder.string(), [&] { files.make_folder(folder); });
}

void rename_new(FileSystem& files, const fs::path& from, const fs::path& to) {
  retry(fmt::format("rename {} to {}", from.string(), to.filename().string()),
        [&] { files.rename_new(from, to); });
}

void sync_folder(FileSystem& files, const fs::path& folder) {
  retry("sync the folder " + folder.string(), [&] { files.sync_folder(folder); });
}

namespace {

/// Creates a folder unless it exists, since another process may have created it meanwhile. Returns
/// false if its parent is missing.
bool make_unless_there(FileSystem& files, const fs::path& folder) {
  try {
    make_folder(files, folder);
  } catch (const FileError& error) {
    if (error.number() == ENOENT) return false;
    if (error.number() != EEXIST) throw;
  }
  return true;
}

}  // namespace

void make_folders(FileSystem& files, const fs::path& folder) {
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : ".";
  if (!make_unless_there(files, folder)) {
    if (parent != folder) make_folders(files, parent);
    if (!make_unless_there(files, folder)) make_folder(files, folder);  // throws with the reason
  }
  // The parent of an existing folder is synced too: its creator may have died before syncing it.
  sync_folder(files, parent);
}

void remove_flat_folder(FileSystem& files, const fs::path& folder) {
  for (const Entry& entry : list_sorted(files, folder)) {
    const fs::path path = folder / entry.name;
    retry("remove " + path.string(), [&] { files.remove_file(path); });
  }
  retry("remove the folder " + folder.string(), [&] { files.remove_folder(folder); });
}

void remove_if_there(FileSystem& files, const fs::path& file) {
  try {
    files.remove_file(file);
  } catch (const FileError&) {
    // The file may not exist or the disk may have failed; the earlier failure is the one to report.
  }
}

std::string random_name() {
  // std::random_device of a statically linked libstdc++ would need a glibc of 2022.
  std::array<std::uint64_t, 2> numbers;
  if (getentropy(numbers.data(), sizeof numbers) != 0)
    throw std::system_error(errno, std::generic_category(), "getentropy");
  return fmt::format("{:016x}{:016x}", numbers[0], numbers[1]);
}

}  // namespace knead::files
