#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace knead::tests {

/// What a disk holds, as a value: for every file and folder what a process sees, what a power cut
/// surely leaves (what was synced), and for names which changes may or may not have reached it.
struct Disk {
  /// One change of the names of a folder, which happens whole or not at all: a rename has two.
  using Change = std::vector<std::pair<std::string, std::optional<int>>>;

  struct Node {
    explicit Node(bool folder) : is_folder(folder) {}

    bool is_folder;
    std::string data;
    std::string synced_data;
    std::map<std::string, int> names;
    std::map<std::string, int> synced_names;
    std::vector<Change> unsynced;
  };

  std::vector<Node> nodes{Node(true)};  // the first is the root

  /// Every path with its bytes, as a process sees them; folders end in "/".
  std::map<std::string, std::string> tree() const;
  /// The bytes of a file, for a test to damage; they count as synced once rest() is called.
  std::string& data(const std::filesystem::path& path);
  /// The node of a path; none if there is nothing.
  std::optional<int> find(const std::filesystem::path& path) const;
  /// The same disk when nothing is left to be written.
  Disk rest() const;
};

/// Chooses one of `count` ways in which things may have gone.
using Choose = std::function<int(int count)>;

/// A disk as a power cut may leave it: of what was not synced, each change of a name and each
/// file's bytes are there or not, or the file is there with a part of them or with zeros.
Disk power_cut(const Disk& disk, const Choose& choose);

/// Calls `check` with every disk that a power cut may leave. If things may go in more than `most`
/// ways it takes so many random ones, the two extremes among them. Returns how many disks there
/// were.
int for_each_power_cut(const Disk& disk, int most, const std::function<void(const Disk&)>& check);

}  // namespace knead::tests
