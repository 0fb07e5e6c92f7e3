#include "runner/files/machine_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include <unistd.h>

namespace knead::files {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the number in a file; kNoLimit if there is none: version 2 writes "max".
std::uint64_t limit_in(const fs::path& file) {
  const std::string text = text_of(file);
  std::uint64_t limit = kNoLimit;
  std::from_chars(text.data(), text.data() + text.size(), limit);
  return limit;
}

/// Returns the least limit of a group and of those around it. A container sees its own group as the
/// root, whatever the name says: folders that are missing limit nothing.
std::uint64_t least_limit(const fs::path& root, std::string_view group, const char* file) {
  std::uint64_t least = limit_in(root / file);
  fs::path folder = root;
  for (const fs::path& part : fs::path(group).relative_path()) {
    folder /= part;
    least = std::min(least, limit_in(folder / file));
  }
  return least;
}

}  // namespace

// Lines are "number:controllers:path"; those of version 2 name no controllers.
std::uint64_t group_limit(const fs::path& root, std::string_view groups) {
  std::uint64_t least = kNoLimit;
  while (!groups.empty()) {
    const std::string_view line = groups.substr(0, groups.find('\n'));
    groups.remove_prefix(std::min(line.size() + 1, groups.size()));
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (controllers.empty()) least = std::min(least, least_limit(root, path, "memory.max"));
    if (controllers == "memory")
      least = std::min(least, least_limit(root / "memory", path, "memory.limit_in_bytes"));
  }
  return least;
}

std::uint64_t machine_memory() {
  const auto all = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                   static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(all, group_limit("/sys/fs/cgroup", text_of("/proc/self/cgroup")));
}

}  // namespace knead::files
