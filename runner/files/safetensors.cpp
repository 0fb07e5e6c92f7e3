#include "runner/files/safetensors.h"

#include <algorithm>
#include <bit>
#include <set>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>

#include "runner/files/dtypes.h"
#include "runner/files/scratch_memory.h"
#include "schema/document/json_text.h"

namespace knead::files {

static_assert(std::endian::native == std::endian::little);  // as the format is; nothing swaps bytes

namespace {

constexpr std::size_t kAlignment = 8;

/// Returns the rank of a tensor's type. Throws std::invalid_argument if the type is unknown or the
/// bytes do not fit the shape.
int rank_of(const TensorContent& tensor) {
  const std::optional<Dtype> dtype = find_dtype(tensor.dtype);
  if (!dtype) throw std::invalid_argument(tensor.name + " has an unknown dtype " + tensor.dtype);
  if (tensor_size(*dtype, tensor.shape) != tensor.size) {
    throw std::invalid_argument(tensor.name + " has bytes that do not fit its shape");
  }
  return dtype->rank;
}

/// Returns the tensors in the order of the reference writer: the widest type first, so that each
/// tensor starts aligned, then by name.
std::vector<TensorContent> in_order(std::vector<TensorContent> tensors) {
  std::vector<std::pair<int, std::size_t>> ranked;
  for (std::size_t i = 0; i < tensors.size(); ++i) ranked.emplace_back(-rank_of(tensors[i]), i);
  std::sort(ranked.begin(), ranked.end(), [&](const auto& left, const auto& right) {
    return std::tie(left.first, tensors[left.second].name) <
           std::tie(right.first, tensors[right.second].name);
  });
  std::vector<TensorContent> out;
  for (const auto& [rank, i] : ranked) out.push_back(std::move(tensors[i]));
  return out;
}

/// Returns the length and the JSON text that precede the data, padded to the alignment.
std::string header(const std::vector<TensorContent>& tensors, const Metadata& metadata) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  auto& entries = json.get_ref<nlohmann::ordered_json::object_t&>();
  if (!metadata.empty()) entries.push_back({"__metadata__", metadata});
  std::set<std::string_view> names{"__metadata__"};
  std::uint64_t begin = 0;
  for (const TensorContent& tensor : tensors) {
    const std::uint64_t end = begin + tensor.size;
    if (!names.insert(tensor.name).second) {
      throw std::invalid_argument(tensor.name + " is there twice or is no name for a tensor");
    }
    // json[name] would search all names before it: quadratic time.
    entries.push_back(
        {tensor.name,
         {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}}});
    begin = end;
  }
  std::string text = schema::json_text(json);
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

}  // namespace

std::vector<TensorContent> contents_of(const std::vector<TensorBytes>& tensors) {
  std::vector<TensorContent> out;
  for (const TensorBytes& tensor : tensors) {
    out.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.bytes.size(),
                   [&bytes = tensor.bytes](const Sink& sink) {
                     sink(bytes);
                     put_away(bytes);
                   }});
  }
  return out;
}

Content safetensors(std::vector<TensorContent> tensors, const Metadata& metadata) {
  std::vector<TensorContent> ordered = in_order(std::move(tensors));
  std::string head = header(ordered, metadata);
  return [ordered = std::move(ordered), head = std::move(head)](const Sink& sink) {
    sink(std::as_bytes(std::span(head)));
    for (const TensorContent& tensor : ordered) tensor.bytes(sink);
  };
}

Content safetensors(const std::vector<TensorBytes>& tensors, const Metadata& metadata) {
  return safetensors(contents_of(tensors), metadata);
}

std::uint64_t safetensors_size(const std::vector<TensorBytes>& tensors, const Metadata& metadata) {
  const std::vector<TensorContent> ordered = in_order(contents_of(tensors));
  std::uint64_t size = header(ordered, metadata).size();
  for (const TensorContent& tensor : ordered) size += tensor.size;
  return size;
}

}  // namespace knead::files
