#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "runner/files/file.h"

namespace knead::checkpoint {

/// A checkpoint that cannot be used, and why: "model.safetensors has 100 bytes, not 200".
class Damaged : public Error {
 public:
  explicit Damaged(const std::string& reason) : Error(reason) {}
};

/// The checkpoint that a run went on from when it made the next one.
struct Parent {
  std::uint64_t step = 0;
  std::string digest;  // of its manifest

  bool operator==(const Parent&) const = default;
};

/// manifest.json, the record that makes some files a checkpoint.
struct Manifest {
  std::string run;               // the id of the run: 32 hexadecimal digits
  std::optional<Parent> parent;  // none for a run's first
  std::uint64_t step = 0;
  std::map<std::string, files::FileFacts> files;  // all but the manifest, by name
  std::string tensors;                            // Snapshot::tensors, finite, facts
  bool finite = true;
  nlohmann::json facts;
  std::string digest;  // of all the rest of the text, its last line; set by both functions below
};

/// The text of manifest.json: JSON, one line per thing, the last one the digest of those above.
/// Sets `manifest.digest`.
std::string manifest_text(Manifest& manifest);

/// Throws Damaged, also for any change of the text, which its digest finds, and Error where it was
/// written by a version that this one does not know.
Manifest read_manifest(const std::string& text);

}  // namespace knead::checkpoint
