#include "runner/engine/train/restore.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/checkpoint/names.h"
#include "runner/checkpoint/read.h"
#include "runner/engine/train/ranks.h"
#include "runner/engine/train/sharded_snapshot.h"
#include "runner/engine/train/snapshot.h"
#include "runner/files/file.h"
#include "runner/files/folders.h"
#include "runner/files/posix_files.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"

namespace knead::engine {
namespace {

namespace fs = std::filesystem;

/// Creates a file for a rank and returns why that failed; empty if it did not.
std::string try_file(files::FileSystem& disk, const fs::path& folder, int rank) {
  try {
    files::write_new(disk, folder / fmt::format("rank-{}", rank), files::text_content(""));
    return "";
  } catch (const files::FileError& error) {
    return error.what();
  }
}

}  // namespace

void expect_one_folder(files::FileSystem& disk, const fs::path& run_folder,
                       parallel::Group& group) {
  const fs::path checkpoints = checkpoint::checkpoints_folder(run_folder);
  const std::string own_name = group.is_first() ? checkpoint::new_temporary_name() : "";
  if (group.is_first()) files::make_folder(disk, checkpoints / own_name);
  const std::string name = group.of_first(own_name);
  const std::string failure = try_file(disk, checkpoints / name, group.rank());
  const std::vector<std::string> failures = group.gather(failure);
  const std::vector<std::string> machines = group.gather(name_of_machine());
  if (group.is_first()) files::remove_flat_folder(disk, checkpoints / name);
  for (std::size_t rank = 0; rank < failures.size(); ++rank) {
    if (failures[rank].empty()) continue;
    throw Error(
        fmt::format("rank {} on {} cannot write its part of a checkpoint into {} of rank 0 on {} "
                    "({})",
                    rank, machines[rank], fs::absolute(checkpoints).string(), machines[0],
                    failures[rank]),
        "set output to a folder that all machines share; with strategy data_parallel rank 0 "
        "writes alone",
        Exit::not_usable);
  }
}

void read_step(const fs::path& run_folder, std::uint64_t step,
               const std::function<void(const checkpoint::TensorReader&)>& read) {
  const fs::path folder = checkpoint::checkpoints_folder(run_folder) / checkpoint::step_name(step);
  files::PosixFiles disk;
  try {
    read(checkpoint::TensorReader(folder, checkpoint::read_manifest_in(disk, folder)));
  } catch (const checkpoint::Damaged& damaged) {
    // Rank 0 has compared all files with the manifest a moment ago.
    throw Error(fmt::format("{} changed while it was read: {}", folder.string(), damaged.what()),
                "see that nothing else writes there, and start again", Exit::not_usable);
  }
}

void restore_on_ranks(const Job& job, run::Progress& progress, const fs::path& run_folder,
                      const checkpoint::Snapshot* own) {
  const checkpoint::Snapshot received = share_snapshot(own, *job.group);
  const checkpoint::Snapshot& snapshot = job.group->is_first() ? *own : received;
  const Owners owners = owners_of(job.trained, progress);
  const auto seed = static_cast<std::uint64_t>(job.recipe.seed);
  if (job.shards)
    return read_step(run_folder, snapshot.step, [&](const checkpoint::TensorReader& reader) {
      restore_shards(owners, *job.shards, *job.group, reader, snapshot, seed);
    });
  restore_snapshot(owners, snapshot, *job.group, seed);
  copy_weights_from_first(*job.trained.model, *job.group);
}

}  // namespace knead::engine
