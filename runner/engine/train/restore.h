#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "runner/checkpoint/snapshot.h"
#include "runner/checkpoint/tensor_reader.h"
#include "runner/engine/job/job.h"
#include "runner/files/file_system.h"
#include "runner/run/progress.h"

namespace knead::engine {

/// Throws knead::Error (exit code 3), which names a rank and its machine, unless every rank can
/// write into the folder of checkpoints of rank 0: ranks that hold shards write their part of a
/// checkpoint there and read it back. The folder must exist for rank 0. All ranks must call it.
void expect_one_folder(files::FileSystem& disk, const std::filesystem::path& run_folder,
                       parallel::Group& group);

/// Calls `read` with the tensors of a step that rank 0 has read and compared with its manifest.
/// Throws knead::Error (exit code 3) if that has changed since.
void read_step(const std::filesystem::path& run_folder, std::uint64_t step,
               const std::function<void(const checkpoint::TensorReader&)>& read);

/// Restores the state of the checkpoint that rank 0 resumes from on all ranks, which must call it.
/// `own` is what rank 0 has read, null on the other ranks. Ranks that hold shards read them from
/// the run's folder, and `own` needs no parts; else rank 0 sends what it has read. Throws
/// knead::Error as restore_snapshot().
void restore_on_ranks(const Job& job, run::Progress& progress,
                      const std::filesystem::path& run_folder, const checkpoint::Snapshot* own);

}  // namespace knead::engine
