#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "runner/files/file.h"

namespace knead::checkpoint {

/// Reports a damaged checkpoint with the reason: "model.safetensors has 100 bytes, not 200".
class Damaged : public Error {
 public:
  explicit Damaged(const std::string& reason) : Error(reason) {}
};

/// Identifies the checkpoint that preceded another one of the same run.
struct Parent {
  std::uint64_t step = 0;
  std::string digest;  // of the parent's manifest

  bool operator==(const Parent&) const = default;
};

/// Holds manifest.json, which lists the files of a checkpoint and is written after them. A folder
/// without it is not a checkpoint.
struct Manifest {
  std::string run;               // the id of the run: 32 hexadecimal digits
  std::optional<Parent> parent;  // std::nullopt for the first checkpoint of a run
  std::uint64_t step = 0;
  std::map<std::string, files::FileFacts> files;  // all but the manifest, by name
  std::string tensors;                            // Snapshot::tensors
  nlohmann::json facts;                           // Snapshot::facts
  std::string digest;  // of the text above its last line; both functions below set it
};

/// Returns the bytes of all files that the manifest names.
std::uint64_t bytes_of(const Manifest& manifest);

/// Returns the text of manifest.json: JSON in lines, of which the last holds the digest of those
/// above. Replaces NaN and infinities in the facts by words, and sets `manifest.digest`.
std::string manifest_text(Manifest& manifest);

/// Parses the text of manifest.json. Throws Damaged if the digest does not match the text, which
/// finds any change of it, or a value is missing; throws Error for an unknown format version.
Manifest read_manifest(const std::string& text);

}  // namespace knead::checkpoint
