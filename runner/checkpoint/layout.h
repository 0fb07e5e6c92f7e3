#pragma once

#include <optional>
#include <vector>

#include "runner/checkpoint/manifest.h"
#include "runner/checkpoint/snapshot.h"
#include "runner/files/file.h"

namespace knead::checkpoint {

/// The files of a checkpoint, ready to be written. Borrows the snapshot, copies no tensor.
class Layout {
 public:
  /// Throws std::invalid_argument for what the files cannot hold: a number in the state that is not
  /// finite, a tensor that safetensors does not know.
  explicit Layout(const Snapshot& snapshot);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  /// The bytes it takes on a disk, rounded up.
  std::uint64_t size() const;

  /// Makes the folder, writes the files and then the manifest that makes them a checkpoint. When it
  /// returns all is durable but the name of the folder. Throws FileError.
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
