#include "runner/data/images/image_folders.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>

#include <dirent.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::data {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const fs::path& folder, int reason) {
  throw Error(fmt::format("cannot read {}: {}", folder.string(), std::strerror(reason)),
              "a path in a recipe is relative to the file that names it");
}

/// Calls `take` with each entry of a folder that is not hidden, in no particular order. Uses
/// readdir(), because std::filesystem costs many times as much per entry and there may be millions.
template <class Take>
void for_each_entry(const fs::path& path, const Take& take) {
  struct Close {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  const std::unique_ptr<DIR, Close> folder(::opendir(path.c_str()));
  if (!folder) refuse_folder(path, errno);
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (!entry && errno != 0) refuse_folder(path, errno);
    if (!entry) return;
    if (entry->d_name[0] != '.') take(*entry);
  }
}

/// Returns the path of a folder with all links resolved.
fs::path real_path(const fs::path& folder) {
  std::error_code failure;
  fs::path real = fs::canonical(folder, failure);
  if (failure) refuse_folder(folder, failure.value());
  return real;
}

/// Returns whether an entry is a folder or a link to one.
bool is_folder(const fs::path& parent, const dirent& entry) {
  std::error_code failure;
  return entry.d_type == DT_DIR ||
         (entry.d_type != DT_REG && fs::is_directory(parent / entry.d_name, failure));
}

enum class FileKind { image, unread_image, other };

FileKind kind_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return FileKind::other;
  std::string ending = name.substr(dot + 1);
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (ending == "jpg" || ending == "jpeg" || ending == "png") return FileKind::image;
  // torchvision also reads these formats, so users expect such files to be among the samples.
  for (const char* unread : {"bmp", "pgm", "ppm", "tif", "tiff", "webp"}) {
    if (ending == unread) return FileKind::unread_image;
  }
  return FileKind::other;
}

/// Lists the images by their folder; "" is the top folder. The map sorts folders by their whole
/// paths.
using Found = std::map<std::string, std::vector<std::string>>;

constexpr std::size_t kMostFolders = 30'000;

/// Collects the images of a folder and of all folders below. `above`: the real paths of the folder
/// and its ancestors, by which a link that leads back is found.
void walk(const fs::path& top, const std::string& folder, std::vector<fs::path>& above,
          Found& found) {
  if (found.size() == kMostFolders)
    throw Error(fmt::format("{} holds more than {} folders", top.string(), kMostFolders),
                "do links lead to the same folders again and again?");
  std::vector<std::string> folders;
  std::vector<std::string>& images = found[folder];
  for_each_entry(top / folder, [&](const dirent& entry) {
    std::string name = folder.empty() ? entry.d_name : folder + "/" + entry.d_name;
    if (is_folder(top / folder, entry)) return folders.push_back(std::move(name));
    const FileKind kind = kind_of(entry.d_name);
    if (kind == FileKind::image) images.push_back(std::move(name));
    if (kind != FileKind::unread_image) return;
    throw Error(
        fmt::format("{} is neither a JPEG nor a PNG file", (top / folder / entry.d_name).string()),
        "convert it, or move it out of the folder");
  });
  std::sort(images.begin(), images.end());
  for (const std::string& inner : folders) {
    const fs::path real = real_path(top / inner);
    const auto same = std::find(above.begin(), above.end(), real);
    if (same != above.end()) {
      throw Error(fmt::format("{} leads back to {}, which it lies in", (top / inner).string(),
                              same->string()),
                  "remove the link");
    }
    above.push_back(real);
    walk(top, inner, above, found);
    above.pop_back();
  }
}

}  // namespace

std::vector<std::string> folders_in(const fs::path& path) {
  std::vector<std::string> names;
  for_each_entry(path, [&](const dirent& entry) {
    if (is_folder(path, entry)) names.emplace_back(entry.d_name);
  });
  if (names.empty())
    throw Error(path.string() + " has no folder of images", "it needs one for each class");
  std::sort(names.begin(), names.end());
  return names;
}

bool is_image(const fs::path& path) { return kind_of(path.filename()) == FileKind::image; }

bool is_flat(const fs::path& folder) {
  bool has_images = false, has_folders = false;
  for_each_entry(folder, [&](const dirent& entry) {
    has_folders = has_folders || is_folder(folder, entry);
    has_images = has_images || is_image(entry.d_name);
  });
  return has_images && !has_folders;
}

std::vector<std::string> images_below(const fs::path& path) {
  Found found;
  std::vector<fs::path> above{real_path(path)};
  walk(path, "", above, found);
  std::vector<std::string> images;
  for (auto& [folder, names] : found) {
    images.insert(images.end(), std::make_move_iterator(names.begin()),
                  std::make_move_iterator(names.end()));
  }
  return images;
}

}  // namespace knead::data
