#include <cassert>
#include <cerrno>

#include <fmt/format.h>

#include "runner/checkpoint/layout.h"
#include "runner/checkpoint/leftovers.h"
#include "runner/checkpoint/names.h"
#include "runner/checkpoint/read.h"
#include "runner/checkpoint/store.h"
#include "runner/files/folders.h"
#include "runner/files/retry.h"
#include "runner/trace/watch.h"
#include "schema/document/byte_words.h"

namespace knead::checkpoint {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMakeRoom =
    "make room there, keep fewer checkpoints (checkpoint.keep), or set output to a larger disk";

constexpr const char* kUntouched = "the checkpoints before it are untouched; look after the disk";
constexpr const char* kDamagedMemory = "the memory of this machine may be damaged";

std::string amount(std::uint64_t bytes) { return schema::byte_words(static_cast<double>(bytes)); }

std::optional<files::Space> ask_for_space(files::FileSystem& files, const fs::path& folder) {
  try {
    return files::retry("ask for the space of " + folder.string(),
                        [&] { return files.space(folder); });
  } catch (const files::FileError&) {
    return std::nullopt;  // writing the files will show whether there is space
  }
}

void check_space(const std::optional<files::Space>& space, std::uint64_t step,
                 std::uint64_t needed) {
  if (!space || space->free >= needed) return;
  throw SaveFailed(
      fmt::format("step {} is not saved: it needs {}, and the file system at {} has {} free", step,
                  amount(needed), space->mounted_at.string(), amount(space->free)),
      kMakeRoom);
}

/// Converts a failure of the disk to the failure of a save, with the needed and the free bytes if
/// the disk is full.
SaveFailed explain(const files::FileError& error, std::uint64_t step, std::uint64_t needed,
                   const std::optional<files::Space>& space) {
  std::string message = fmt::format("step {} is not saved: {}", step, error.what());
  if (error.number() != ENOSPC && error.number() != EDQUOT) {
    return SaveFailed(message, kUntouched);
  }
  message += fmt::format("; it needs {}", amount(needed));
  if (space) {
    message += fmt::format(", and the file system at {} has {} free", space->mounted_at.string(),
                           amount(space->free));
  }
  return SaveFailed(message, kMakeRoom);
}

/// Throws SaveFailed, which names the rank, unless all ranks have written their files.
void expect_written(const SharedSave& save) {
  for (std::size_t rank = 0; rank < save.ranks.size(); ++rank) {
    const RankResult& result = save.ranks[rank];
    if (result.failure.empty()) continue;
    throw SaveFailed(
        fmt::format("step {} is not saved: rank {}: {}", save.step, rank, result.failure),
        result.is_full ? kMakeRoom : (result.failure == kWrongCopy ? kDamagedMemory : kUntouched));
  }
}

}  // namespace

template <class Save>
auto Store::explaining(std::uint64_t step, std::uint64_t needed, Save save) {
  assert(!run_.empty());  // recover() comes first
  try {
    return save();
  } catch (const files::FileError& error) {
    throw explain(error, step, needed, ask_for_space(files_, folder_));
  } catch (const Damaged& damaged) {
    throw SaveFailed(
        fmt::format("step {} is not saved: it does not read back as it was written: {}", step,
                    damaged.what()),
        "the disk may be damaged: set output to another one");
  }
}

Manifest Store::save(const Snapshot& snapshot) {
  const Layout layout(snapshot);
  return explaining(snapshot.step, layout.size(), [&] {
    // The copy is compared before it is written, so that a fault of the memory is not blamed on the
    // disk.
    if (tensor_digest(snapshot.parts) != snapshot.tensors) {
      throw SaveFailed(fmt::format("step {} is not saved: {}", snapshot.step, kWrongCopy),
                       kDamagedMemory);
    }
    if (auto saved = already_saved(snapshot.step, snapshot.tensors)) return *saved;
    check_space(ask_for_space(files_, folder_), snapshot.step, layout.size());
    const fs::path temporary = folder_ / new_temporary_name();
    return commit(snapshot.step, temporary, [&] {
      const trace::Span span("write");
      return layout.write(files_, temporary, run_, newest_);
    });
  });
}

fs::path Store::begin_shared(std::uint64_t step, std::uint64_t size) {
  return explaining(step, size, [&] {
    check_space(ask_for_space(files_, folder_), step, size);
    const fs::path temporary = folder_ / new_temporary_name();
    files::make_folder(files_, temporary);
    return temporary;
  });
}

Manifest Store::seal(const SharedSave& save) {
  Manifest manifest;
  manifest.run = run_;
  manifest.parent = newest_;
  manifest.step = save.step;
  manifest.facts = save.facts;
  TensorDigest tensors;
  std::uint64_t model_bytes = 0;
  for (const RankResult& rank : save.ranks) {
    manifest.files.insert(rank.files.begin(), rank.files.end());
    tensors.add_list(rank.tensors.list());
    model_bytes += rank.model_bytes;
  }
  manifest.tensors = tensors.text();
  const SmallFiles small{{kStateFile, state_text(save.state)},
                         {kIndexFile, index_text(tensors, model_bytes)}};
  const std::uint64_t needed = size_on_disk(small, save.facts) + bytes_of(manifest);
  try {
    return explaining(save.step, needed, [&] {
      expect_written(save);
      if (auto saved = already_saved(save.step, manifest.tensors)) {
        remove_leftovers(files_, folder_);
        return *saved;
      }
      return commit(save.step, save.folder, [&] {
        write_small_files(files_, save.folder, small, manifest);
        return manifest;
      });
    });
  } catch (const SaveFailed&) {
    remove_leftovers(files_, folder_);
    throw;
  }
}

std::optional<Manifest> Store::already_saved(std::uint64_t step, const std::string& tensors) {
  const fs::path folder = folder_ / step_name(step);
  for (const files::Entry& entry : files::list_sorted(files_, folder_)) {
    if (entry.name != folder.filename()) continue;
    Manifest manifest = read_manifest_in(files_, folder);
    check_files(files_, folder, manifest);
    if (manifest.run == run_ && manifest.tensors == tensors) {
      // The process that renamed the folder may have died before the name was durable.
      files::sync_folder(files_, folder_);
      acknowledge(manifest);
      return manifest;
    }
    throw SaveFailed(
        fmt::format("step {} is not saved: {} is there with other tensors", step, folder.string()),
        "move it out of the folder");
  }
  return std::nullopt;
}

Manifest Store::commit(std::uint64_t step, const fs::path& temporary,
                       const std::function<Manifest()>& write) {
  const fs::path folder = folder_ / step_name(step);
  bool named = false;
  try {
    const Manifest manifest = write();
    files::rename_new(files_, temporary, folder);
    named = true;
    files::sync_folder(files_, folder_);
    // From here on the checkpoint survives a crash of this process or machine.
    verify(folder, manifest);
    acknowledge(manifest);
    return manifest;
  } catch (...) {
    // A folder that did not read back must not keep the name of a checkpoint.
    if (named) withdraw(folder);
    remove_leftovers(files_, folder_);
    throw;
  }
}

void Store::acknowledge(const Manifest& manifest) {
  newest_ = {manifest.step, manifest.digest};
  verified_.insert(manifest.step);
}

void Store::verify(const fs::path& folder, const Manifest& manifest) {
  const trace::Span span("read back");
  if (read_manifest_in(files_, folder).digest != manifest.digest) {
    throw Damaged("manifest.json is another one");
  }
  check_files(files_, folder, manifest);
}

void Store::withdraw(const fs::path& folder) {
  try {
    files::rename_new(files_, folder, folder_ / new_temporary_name());
  } catch (const files::FileError&) {
    // The folder stays; the next start decides whether it is whole.
  }
}

}  // namespace knead::checkpoint
