#include "runner/checkpoint/rank_parts.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <numeric>

#include "runner/checkpoint/layout.h"
#include "runner/checkpoint/names.h"
#include "runner/checkpoint/weights_files.h"
#include "runner/files/folders.h"
#include "runner/files/safetensors.h"
#include "runner/trace/watch.h"
#include "schema/document/json_text.h"

namespace knead::checkpoint {

namespace {

bool is_of_model(const std::string& file) {
  const std::optional<ShardFile> shard = shard_of(file);
  return shard && shard->file == kModelFile;
}

std::uint64_t model_bytes(const std::vector<Part>& parts) {
  std::uint64_t bytes = 0;
  for (const Part& part : parts) {
    if (!is_of_model(part.file)) continue;
    for (const files::TensorBytes& tensor : part.tensors) bytes += tensor.bytes.size();
  }
  return bytes;
}

RankResult failed(std::string why, bool is_full) {
  RankResult result;
  result.failure = std::move(why);
  result.is_full = is_full;
  return result;
}

}  // namespace

std::uint64_t size_on_disk(const std::vector<Part>& parts) {
  std::uint64_t size = 0;
  for (const Part& part : parts)
    size += files::safetensors_size(part.tensors, part.metadata) + kFileOverhead;
  return size;
}

RankResult write_parts(files::FileSystem& files, const std::filesystem::path& folder,
                       const RankParts& parts) {
  const trace::Span span("write");
  try {
    // The copy is compared before it is written, so that a fault of the memory is not blamed on the
    // disk.
    if (tensor_digest(parts.parts) != parts.tensors.text()) return failed(kWrongCopy, false);
    RankResult result;
    result.tensors = parts.tensors;
    result.model_bytes = model_bytes(parts.parts);
    for (const Part& part : parts.parts)
      result.files[part.file] = files::write_new(files, folder / part.file,
                                                 files::safetensors(part.tensors, part.metadata));
    // Rank 0 syncs the folder too, but on some shared file systems that makes only the names
    // durable which its own machine has made.
    files::sync_folder(files, folder);
    return result;
  } catch (const files::FileError& error) {
    return failed(error.what(), error.number() == ENOSPC || error.number() == EDQUOT);
  } catch (const std::bad_alloc&) {
    return failed("the memory does not suffice to write it", false);
  }
}

std::string to_text(const RankResult& result) {
  nlohmann::json files = nlohmann::json::object();
  for (const auto& [name, facts] : result.files) files[name] = {facts.size, facts.digest};
  return schema::readable_json_text({{"files", files},
                                     {"tensors", result.tensors.list()},
                                     {"model_bytes", result.model_bytes},
                                     {"failure", result.failure},
                                     {"is_full", result.is_full}});
}

RankResult rank_result(const std::string& text) {
  const nlohmann::json json = schema::parse_json(text);
  RankResult result;
  for (const auto& [name, facts] : json.at("files").items())
    result.files[name] = {facts.at(0), facts.at(1)};
  result.tensors.add_list(json.at("tensors"));
  result.model_bytes = json.at("model_bytes");
  result.failure = json.at("failure");
  result.is_full = json.at("is_full");
  return result;
}

std::string index_text(const TensorDigest& tensors, std::uint64_t model_bytes) {
  std::map<std::string, std::string> file_of;
  for (const nlohmann::json& each : tensors.list()) {
    const std::string file = each.at(0);
    if (is_of_model(file)) file_of[each.at(1).get<std::string>()] = file;
  }
  return index_text(file_of, model_bytes);
}

std::vector<int> deal_by_size(const std::vector<std::uint64_t>& sizes, int ranks) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t left, std::size_t right) { return sizes[left] > sizes[right]; });
  std::vector<std::uint64_t> dealt(static_cast<std::size_t>(ranks));
  std::vector<int> out(sizes.size());
  for (const std::size_t tensor : order) {
    const auto least = std::min_element(dealt.begin(), dealt.end());
    *least += sizes[tensor];
    out[tensor] = static_cast<int>(least - dealt.begin());
  }
  return out;
}

}  // namespace knead::checkpoint
