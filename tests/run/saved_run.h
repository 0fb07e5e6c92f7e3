#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/checkpoint/store.h"
#include "runner/files/posix_files.h"
#include "tests/folder.h"

namespace knead::tests {

/// Saves checkpoints of these steps in the folder of a run.
inline void save_steps(const std::filesystem::path& run, const std::vector<std::uint64_t>& steps) {
  std::filesystem::create_directories(run);
  files::PosixFiles disk;
  checkpoint::Store store(disk, run);
  store.recover();
  for (const std::uint64_t step : steps) {
    checkpoint::Snapshot snapshot;
    snapshot.step = step;
    files::TensorBytes weight{"weight", "F32", {2}, files::OwnBytes(8, std::byte{})};
    weight.bytes[0] = static_cast<std::byte>(step);
    snapshot.parts.push_back({"model.safetensors", {weight}, {}});
    snapshot.tensors = checkpoint::tensor_digest(snapshot.parts);
    store.save(snapshot);
  }
}

/// Turns the last bit of a file over.
inline void flip_last_bit(const std::filesystem::path& file) {
  std::string text = text_of(file);
  text.back() = static_cast<char>(text.back() ^ 1);
  write_text(file, text);
}

}  // namespace knead::tests
