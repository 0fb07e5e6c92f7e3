#include "runner/checkpoint/snapshot.h"

#include <nlohmann/json.hpp>

#include "runner/files/scratch_memory.h"
#include "schema/document/json_text.h"

namespace knead::checkpoint {

void TensorDigest::add(const std::string& file, const files::TensorBytes& tensor,
                       std::span<const std::byte> bytes) {
  files::RunningDigest digest;
  // Dtype, shape and size come first, as JSON, whose end is unambiguous: two tensors that differ in
  // them cannot give the same bytes.
  const std::string words =
      schema::json_text(nlohmann::json::array({tensor.dtype, tensor.shape, bytes.size()}));
  digest.add(std::as_bytes(std::span(words)));
  digest.add(bytes);
  digests_[{file, tensor.name}] = digest.text();
}

std::string TensorDigest::text() const { return files::digest(schema::json_text(list())); }

nlohmann::json TensorDigest::list() const {
  // The map is sorted by file and name, so the order in which tensors were added does not count.
  nlohmann::json all = nlohmann::json::array();
  for (const auto& [place, digest] : digests_) all.push_back({place.first, place.second, digest});
  return all;
}

void TensorDigest::add_list(const nlohmann::json& list) {
  for (const nlohmann::json& each : list) digests_[{each.at(0), each.at(1)}] = each.at(2);
}

std::string tensor_digest(const std::vector<Part>& parts) {
  TensorDigest digest;
  for (const Part& part : parts) {
    for (const files::TensorBytes& tensor : part.tensors) {
      digest.add(part.file, tensor, tensor.bytes);
      files::put_away(tensor.bytes);
    }
  }
  return digest.text();
}

}  // namespace knead::checkpoint
