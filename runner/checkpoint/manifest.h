#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "runner/files/file.h"

namespace knead::checkpoint {

/// Reports a damaged checkpoint with the reason: "model.safetensors has 100 bytes, not 200".
/// Another checkpoint may be used instead, whereas other Errors of a read mean that the disk or the
/// machine fails.
class Damaged : public Error {
 public:
  explicit Damaged(const std::string& reason) : Error(reason) {}
};

/// Identifies the checkpoint that preceded another one of the same run.
struct Parent {
  std::uint64_t step = 0;
  /// Manifest::digest of the parent. With it a checkpoint vouches for the one before it.
  std::string digest;

  bool operator==(const Parent&) const = default;
};

/// Holds manifest.json, which lists the files of a checkpoint and is written after them. A folder
/// without it is not a checkpoint.
struct Manifest {
  /// The id of the run: 32 hexadecimal digits. All checkpoints of a run have the same, also after
  /// the folder was moved.
  std::string run;
  std::optional<Parent> parent;  // std::nullopt for the first checkpoint of a run
  std::uint64_t step = 0;
  /// Sizes and digests of all files but the manifest, by name.
  std::map<std::string, files::FileFacts> files;
  /// Snapshot::tensors: the digest of the tensors that the run held.
  std::string tensors;
  /// Snapshot::facts.
  nlohmann::json facts;
  /// Digest of the text above the last line of manifest.json; manifest_text() and read_manifest()
  /// set it.
  std::string digest;
};

/// Returns the bytes of all files that the manifest names.
std::uint64_t bytes_of(const Manifest& manifest);

/// Returns the text of manifest.json: JSON in lines, of which the last holds the digest of those
/// above. Replaces NaN and infinities in the facts by the words NaN, Infinity and -Infinity, and
/// sets `manifest.digest`. Pure otherwise.
std::string manifest_text(Manifest& manifest);

/// Parses the text of manifest.json. Throws Damaged if the digest does not match the text, which
/// finds any change of it, if a value is missing, or if a file has a name that could lead out of
/// the folder; throws Error for an unknown format version.
Manifest read_manifest(const std::string& text);

}  // namespace knead::checkpoint
