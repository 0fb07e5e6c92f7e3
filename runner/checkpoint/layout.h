#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/checkpoint/manifest.h"
#include "runner/checkpoint/snapshot.h"
#include "runner/files/file.h"

namespace knead::checkpoint {

/// Bounds the bytes that a file needs on a disk besides its content: the rest of its last block and
/// its entry in the folder.
inline constexpr std::uint64_t kFileOverhead = 8 << 10;

/// Says that the copies of the tensors are not what was copied.
inline constexpr const char* kWrongCopy = "what was copied is not what the run held";

/// Returns the text of state.json. Throws std::invalid_argument if a number in the state is not
/// finite.
std::string state_text(const nlohmann::json& state);

/// Holds the small files of a checkpoint, which are written after the tensors: name and text.
using SmallFiles = std::vector<std::pair<std::string, std::string>>;

/// Returns an upper bound of the bytes on disk of the manifest and the small files.
std::uint64_t size_on_disk(const SmallFiles& small, const nlohmann::json& facts);

/// Writes the small files, notes them in `manifest`, and writes manifest.json last; syncs all of
/// them and the names in the folder, and sets the manifest's digest. On return all but the name of
/// the folder is durable. Throws FileError.
void write_small_files(files::FileSystem& files, const std::filesystem::path& folder,
                       const SmallFiles& small, Manifest& manifest);

/// Lays out the files of a checkpoint and writes them. Borrows the snapshot and copies no tensor.
class Layout {
 public:
  /// Plans the files without writing any: one per part, and state.json. Throws
  /// std::invalid_argument if the files cannot hold the snapshot: a number in the state is not
  /// finite, a part has no valid file name, or safetensors cannot hold a tensor. The snapshot must
  /// outlive the layout.
  explicit Layout(const Snapshot& snapshot);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  /// Returns an upper bound of the bytes on disk, with the manifest and the blocks that are only
  /// partly used.
  std::uint64_t size() const;

  /// Creates the folder, writes the files and last the manifest, and syncs them. On return all but
  /// the name of the folder is durable. `run` and `parent` go into the manifest; `parent` is
  /// std::nullopt for the first checkpoint of a run. Returns the written manifest with its digest.
  /// Throws FileError, with EEXIST if the folder exists; what is written by then stays on disk for
  /// the caller to remove.
  Manifest write(files::FileSystem& files, const std::filesystem::path& folder,
                 const std::string& run, const std::optional<Parent>& parent) const;

 private:
  /// A file of tensors that write() will make, with its size in bytes.
  struct Planned {
    std::string file;
    files::Content content;
    std::uint64_t size = 0;
  };

  const Snapshot& snapshot_;
  SmallFiles small_;  // state.json
  std::vector<Planned> planned_;
};

}  // namespace knead::checkpoint
