#pragma once

#include <optional>
#include <vector>

#include "runner/checkpoint/manifest.h"
#include "runner/checkpoint/snapshot.h"
#include "runner/files/file.h"

namespace knead::checkpoint {

/// Lays out the files of a checkpoint and writes them. Borrows the snapshot and copies no tensor.
class Layout {
 public:
  /// Throws std::invalid_argument if the files cannot hold the snapshot: a number in the state is
  /// not finite, a part has no valid file name, or safetensors cannot hold a tensor.
  explicit Layout(const Snapshot& snapshot);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  /// Returns an upper bound of the bytes on disk.
  std::uint64_t size() const;

  /// Creates the folder, writes the files and last the manifest, and syncs them. On return all but
  /// the name of the folder is durable. `run` and `parent` go into the manifest. Throws FileError.
  Manifest write(files::FileSystem& files, const std::filesystem::path& folder,
                 const std::string& run, const std::optional<Parent>& parent) const;

 private:
  struct Planned {
    std::string file;
    files::Content content;
    std::uint64_t size = 0;
  };

  const Snapshot& snapshot_;
  std::string state_;  // the text of state.json
  std::vector<Planned> planned_;
};

}  // namespace knead::checkpoint
