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

/// Holds one tensor file of a checkpoint.
struct Part {
  /// Name of the file in the checkpoint's folder: "model.safetensors".
  std::string file;
  /// The tensors with their bytes; names are distinct within the file.
  std::vector<files::TensorBytes> tensors;
  /// Words that the header of the safetensors file holds beside the tensors.
  files::Metadata metadata;
};

/// Holds a copy of all state that a run needs to continue from a step. It owns its memory, so that
/// training may continue while it is written.
struct Snapshot {
  /// Completed steps; the run continues with the next one.
  std::uint64_t step = 0;
  std::vector<Part> parts;
  /// Holds the digest of the live tensors, made with TensorDigest while they were copied, so that
  /// the files on disk are compared with the tensors of the run and not with a copy of them.
  std::string tensors;
  /// Content of state.json: all small state. Numbers that are not finite stand as strings.
  nlohmann::json state;
  /// Facts for the manifest that a resume compares: digests of recipe, data and model, and the
  /// execution fingerprint.
  nlohmann::json facts;
};

/// Computes the digest of all tensors of a snapshot, each added once, in any order. It covers the
/// name of the file and the name, dtype, shape and bytes of each tensor, but not the metadata. Not
/// thread-safe.
class TensorDigest {
 public:
  /// Adds a tensor. Its name, dtype and shape come from `tensor`, its content from `bytes`, which
  /// may be the memory from which the tensor is being copied.
  void add(const std::string& file, const files::TensorBytes& tensor,
           std::span<const std::byte> bytes);

  /// Returns the digest of the tensors so far, an XXH3-128 in hexadecimal. Equal tensors give equal
  /// digests on every machine.
  std::string text() const;

  /// Returns the tensors so far with their digests, for add_list() of another process.
  nlohmann::json list() const;
  /// Adds the tensors of another digest, by what its list() returned. Throws nlohmann::json's
  /// exceptions for anything else.
  void add_list(const nlohmann::json& list);

 private:
  std::map<std::pair<std::string, std::string>, std::string> digests_;  // by file and name
};

/// Returns the TensorDigest of all tensors of the parts, as they are in memory.
std::string tensor_digest(const std::vector<Part>& parts);

}  // namespace knead::checkpoint
