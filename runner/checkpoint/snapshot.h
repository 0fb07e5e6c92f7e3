#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "runner/files/digest.h"
#include "runner/files/tensor_bytes.h"

namespace knead::checkpoint {

/// One tensor file of a checkpoint.
struct Part {
  std::string file;  // "model.safetensors"
  std::vector<files::TensorBytes> tensors;
  files::Metadata metadata;
};

/// All that a run needs to go on from a step, in memory of its own: nothing in it changes while
/// training does.
struct Snapshot {
  std::uint64_t step = 0;
  std::vector<Part> parts;
  /// Of the live tensors, made with TensorDigest while they were copied: what is on disk is
  /// compared with what the run held, not with a copy of it.
  std::string tensors;
  bool finite = true;    // no NaN or infinity in it: the newest of these is never deleted
  nlohmann::json state;  // state.json: everything small. Numbers that are not finite: as strings
  nlohmann::json facts;  // for the manifest: recipe, data and model digests, fingerprint, metrics
};

/// The digest of all tensors of a snapshot, each added once, in any order. The name of its file,
/// its own name, dtype and shape count as well as its bytes.
class TensorDigest {
 public:
  /// `tensor` gives all but the bytes, which may still be where they are being copied from.
  void add(const std::string& file, const files::TensorBytes& tensor,
           std::span<const std::byte> bytes);
  std::string text() const;

 private:
  std::map<std::pair<std::string, std::string>, std::string> digests_;  // by file and name
};

std::string tensor_digest(const std::vector<Part>& parts);

}  // namespace knead::checkpoint
