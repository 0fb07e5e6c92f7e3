#include "runner/checkpoint/read.h"

#include <cerrno>

#include <fmt/format.h>

#include "runner/checkpoint/join.h"
#include "runner/checkpoint/names.h"
#include "runner/files/bounded_json.h"
#include "runner/files/safetensors.h"
#include "schema/document/json_text.h"

namespace knead::checkpoint {

namespace fs = std::filesystem;

namespace {

// Far above any manifest; a damaged size must not fill the memory.
constexpr std::uint64_t kLongestManifest = 64 << 20;
constexpr std::uint64_t kLongestState = 256 << 20;

/// Returns whether an errno says nothing about the file, which may be readable another time.
bool is_of_the_machine(int number) {
  return number == EACCES || number == EPERM || number == EMFILE || number == ENFILE ||
         number == ENOMEM || number == EAGAIN || number == ESTALE || number == EINTR;
}

/// Calls `read` for a file of a checkpoint, and turns a failure of the file into Damaged. Failures
/// of the machine pass as they are.
template <class Read>
auto blaming(const std::string& file, Read read) {
  try {
    return read();
  } catch (const files::FileError& error) {
    if (is_of_the_machine(error.number())) throw;
    // Everything else, such as EIO, is a failure of this file: another checkpoint may be readable.
    if (error.number() == ENOENT) throw Damaged(file + " is missing");
    throw Damaged(error.what());
  }
}

void compare(const std::string& file, const files::FileFacts& found,
             const files::FileFacts& expected) {
  if (found.size != expected.size) {
    throw Damaged(fmt::format("{} has {} bytes, not {}", file, found.size, expected.size));
  }
  if (found.digest != expected.digest) {
    throw Damaged(fmt::format("{} is not as it was written: its digest is {}, not {}", file,
                              found.digest, expected.digest));
  }
}

/// Reads a file by `parse` and compares its size and digest. If `parse` fails, the digest is
/// compared first, because wrong bytes are the better reason.
template <class Parse>
auto read_compared(files::FileSystem& files, const fs::path& path, const files::FileFacts& expected,
                   Parse parse) {
  const std::string file = path.filename();
  return blaming(file, [&] {
    files::InputFile in(files, path);
    // The size alone is compared first: a wrong size shows without reading the file.
    compare(file, {in.size(), expected.digest}, expected);
    try {
      auto out = parse(in);
      compare(file, in.finish(), expected);
      return out;
    } catch (const files::FileError&) {
      throw;
    } catch (const Error& mistake) {
      compare(file, in.finish(), expected);
      throw Damaged(mistake.what());
    }
  });
}

Part read_part(files::FileSystem& files, const fs::path& path, const files::FileFacts& expected) {
  files::Safetensors read = read_compared(files, path, expected, [&](files::InputFile& in) {
    return files::read_safetensors(in, path.filename());
  });
  return {path.filename(), std::move(read.tensors), std::move(read.metadata)};
}

void check_file(files::FileSystem& files, const fs::path& path, const files::FileFacts& expected) {
  const std::string file = path.filename();
  blaming(file, [&] {
    files::InputFile in(files, path);
    compare(file, {in.size(), expected.digest}, expected);
    compare(file, in.finish(), expected);
  });
}

nlohmann::json read_state(files::FileSystem& files, const fs::path& path,
                          const files::FileFacts& expected) {
  return read_compared(files, path, expected, [&](files::InputFile& in) {
    if (in.size() > kLongestState)
      throw Error(fmt::format("{} has {} bytes, where {} are the most", kStateFile, in.size(),
                              kLongestState));
    std::string text(in.size(), '\0');
    text.resize(in.read(std::as_writable_bytes(std::span(text))));
    files::Budget budget(kStateFile);
    try {
      return files::parse_bounded_json(text, budget);
    } catch (const nlohmann::json::exception&) {
      throw Error(std::string(kStateFile) + " is no JSON");
    }
  });
}

}  // namespace

Manifest read_manifest_in(files::FileSystem& files, const fs::path& folder) {
  const std::string text = blaming(kManifestFile, [&] {
    return files::read_small(files, folder / kManifestFile, kLongestManifest);
  });
  Manifest manifest = read_manifest(text);
  if (step_name(manifest.step) != folder.filename()) {
    throw Damaged(fmt::format("manifest.json is that of step {}", manifest.step));
  }
  if (!manifest.files.contains(kStateFile)) throw Damaged("manifest.json names no state.json");
  return manifest;
}

void check_files(files::FileSystem& files, const fs::path& folder, const Manifest& manifest) {
  for (const auto& [file, expected] : manifest.files) check_file(files, folder / file, expected);
}

Found read_checkpoint(files::FileSystem& files, const fs::path& folder, Hold hold) {
  Found found{.snapshot = {}, .manifest = read_manifest_in(files, folder)};
  const Manifest& manifest = found.manifest;
  Snapshot& snapshot = found.snapshot;
  for (const auto& [file, expected] : manifest.files) {
    if (file == kStateFile) {
      snapshot.state = read_state(files, folder / file, expected);
    } else if (is_tensor_file(file) && hold == Hold::tensors) {
      snapshot.parts.push_back(read_part(files, folder / file, expected));
    } else {
      check_file(files, folder / file, expected);
    }
  }
  snapshot.step = manifest.step;
  snapshot.tensors = manifest.tensors;
  snapshot.facts = manifest.facts;
  if (hold == Hold::state) return found;
  if (tensor_digest(snapshot.parts) != snapshot.tensors) {
    throw Damaged("its tensors are not those that the run held");
  }
  if (!manifest.files.contains(kIndexFile)) return found;
  snapshot.parts = join_parts(std::move(snapshot.parts));
  snapshot.tensors = tensor_digest(snapshot.parts);
  return found;
}

}  // namespace knead::checkpoint
