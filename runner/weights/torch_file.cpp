#include "runner/weights/torch_file.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "runner/files/dtypes.h"
#include "runner/weights/pickle.h"
#include "runner/weights/state_dict.h"
#include "runner/weights/torch_tensor.h"
#include "runner/weights/zip.h"
#include "schema/document/error.h"

namespace knead::weights {
namespace {

constexpr std::uint64_t kLongestPickle = 64 << 20;
constexpr std::uint64_t kLongestByteOrder = 100;  // "little" or "big"
constexpr const char* kMayBeDamaged = "it may be damaged: fetch or write it again";
constexpr const char* kSaveWeights =
    "save only the weights, in Python: torch.save(model.state_dict(), \"weights.pt\")";

/// Gives access to the members of the archive by their names below the common folder.
class TorchFile {
 public:
  TorchFile(std::unique_ptr<files::OpenFile> file, files::Budget& budget)
      : file_(std::move(file)), entries_(read_zip(*file_, budget)), budget_(budget) {
    find_folder();
  }

  /// Reads data.pkl and checks its CRC-32.
  std::string pickle() {
    const ZipEntry& entry = *find("data.pkl");
    if (entry.method != 0) refuse_packed(entry);
    if (entry.size > kLongestPickle)
      refuse(fmt::format("its data.pkl of {} bytes is too long", entry.size), kSaveWeights);
    const std::string bytes = read(entry);
    RunningCrc crc;
    crc.add(std::as_bytes(std::span(bytes)));
    if (entry.crc != 0 && entry.crc != crc.value())
      refuse("the bytes of data.pkl are not those that were written", kMayBeDamaged);
    return bytes;
  }

  files::Budget& budget() { return budget_; }

  /// Returns the block of a storage and its size. Tensors that share a storage share its block.
  std::pair<std::size_t, std::uint64_t> block_of(const PickledStorage& storage) {
    const std::string name = "data/" + storage.key;
    const ZipEntry* entry = find(name);
    if (!entry) throw std::invalid_argument(fmt::format("has no bytes: '{}' is missing", name));
    if (entry->method != 0) refuse_packed(*entry);
    // The pickle states the length of each storage; it must agree with the archive, since offsets
    // are checked against it.
    const std::uint64_t bits = storage.dtype.empty() ? 8 : files::find_dtype(storage.dtype)->bits;
    std::uint64_t size = 0;
    if (__builtin_mul_overflow(storage.numbers, bits / 8, &size) || size != entry->size)
      throw std::invalid_argument(
          fmt::format("says of '{}' that it has {} numbers, but it has {} "
                      "bytes",
                      name, storage.numbers, entry->size));
    const auto [found, is_new] = numbers_.emplace(storage.key, blocks_.size());
    if (is_new) {
      budget_.hold(kOfBlock + 2 * storage.key.size());
      // The CRC-32 is 0 if torch.serialization was configured not to compute it.
      const auto crc = entry->crc == 0 ? std::nullopt : std::optional(entry->crc);
      blocks_.push_back({0, name, entry->begin, entry->size, crc});
    }
    return {found->second, entry->size};
  }

  [[noreturn]] void refuse(const std::string& reason, const std::string& remedy) const {
    throw Error(fmt::format("{}: {}", file_->path().string(), reason), remedy);
  }

  std::string path() const { return file_->path().string(); }

  Weights take(std::vector<StoredTensor> tensors) {
    Weights::Files files;
    files.push_back(std::move(file_));
    return {std::move(files), std::move(blocks_), std::move(tensors)};
  }

 private:
  void find_folder() {
    // torch.save names the folder after its file, so the folder is found by the pickle in it.
    constexpr std::string_view kPickle = "/data.pkl";
    for (const ZipEntry& entry : entries_) {
      if (entry.name.ends_with(kPickle) && folder_.empty())
        folder_ = entry.name.substr(0, entry.name.size() - kPickle.size() + 1);
    }
    if (folder_.empty()) refuse_other_zip();
    if (find("constants.pkl"))
      refuse("it is a TorchScript archive, a model with its code, not weights",
             "model.archive takes it whole; for its weights alone, in Python: "
             "torch.save(torch.jit.load(\"model.pt\").state_dict(), \"weights.pt\")");
    const ZipEntry* order = find("byteorder");
    if (order && order->method == 0 && order->size <= kLongestByteOrder && read(*order) == "big")
      refuse("its numbers are big-endian", "save it again on another machine");
  }

  [[noreturn]] void refuse_other_zip() const {
    const auto is_array = [](const ZipEntry& entry) { return entry.name.ends_with(".npy"); };
    if (std::any_of(entries_.begin(), entries_.end(), is_array))
      refuse("it is an npz file of NumPy's, not weights", kSaveWeights);
    refuse("it is a zip archive, but torch.save did not write it: it has no data.pkl",
           kSaveWeights);
  }

  [[noreturn]] void refuse_packed(const ZipEntry& entry) const {
    refuse(fmt::format("its member '{}' is compressed, which torch.save never does", entry.name),
           "write it again with torch.save");
  }

  std::string read(const ZipEntry& entry) const { return file_->read(entry.begin, entry.size); }

  const ZipEntry* find(const std::string& name) const {
    if (by_name_.empty()) {
      for (const ZipEntry& entry : entries_) by_name_.emplace(entry.name, &entry);
    }
    const auto found = by_name_.find(folder_ + name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  static constexpr std::uint64_t kOfBlock = 250;  // bytes of a block and its place in the map

  std::unique_ptr<files::OpenFile> file_;
  std::vector<ZipEntry> entries_;
  files::Budget& budget_;
  mutable std::map<std::string, const ZipEntry*> by_name_;
  std::string folder_;  // "archive/"
  std::vector<Block> blocks_;
  std::map<std::string, std::size_t> numbers_;  // index of the block by key of the storage
};

/// Chooses the dict that holds the weights. Throws knead::Error if `key` names none of them, or if
/// there are several and no key.
const StateDict& choose(const TorchFile& file, const std::vector<StateDict>& found,
                        const std::optional<std::string>& key) {
  const auto listed = [&] {
    std::string text;
    for (const StateDict& each : found)
      text += fmt::format("{}'{}'", text.empty() ? "" : ", ", each.key);
    return text;
  };
  if (key) {
    for (const StateDict& each : found) {
      if (each.key == *key) return each;
    }
    file.refuse(fmt::format("it has no tensors under '{}'", *key),
                found.size() == 1 && found[0].key.empty()
                    ? "its tensors are not within another dict: leave model.weights.key out"
                    : fmt::format("it has some under {}", listed()));
  }
  if (found.size() == 1) return found[0];
  file.refuse(fmt::format("it holds several sets of tensors, under {}", listed()),
              fmt::format("write model.weights.key: {}", found[0].key));
}

/// Finds the state dicts of a pickle. Throws knead::Error that says what the file holds if there
/// are none.
std::vector<StateDict> find_dicts(TorchFile& file, const PickledValue& root) {
  std::vector<StateDict> found = find_state_dicts(root, file.budget());
  if (!found.empty()) return found;
  const std::string_view type = pickled_type(root);
  if (is_pickled_tensor(root)) file.refuse("it holds one tensor without a name", kSaveWeights);
  if (!type.empty() && type != kOrderedDict)
    file.refuse(fmt::format("it holds a whole Python object, {}, which only the program that "
                            "defines it can make",
                            type),
                kSaveWeights);
  file.refuse("it holds no dict of tensors", kSaveWeights);
}

std::vector<StoredTensor> read_tensors(TorchFile& file, const StateDict& dict) {
  std::vector<StoredTensor> tensors;
  for (const auto& [name, value] : dict.tensors) {
    try {
      tensors.push_back(read_pickled_tensor(
          *value, [&](const PickledStorage& storage) { return file.block_of(storage); }));
      const std::size_t numbers = 2 * tensors.back().shape.size();
      file.budget().hold(2 * sizeof tensors[0] + name.size() + numbers * sizeof(std::int64_t));
      tensors.back().name = name;
    } catch (const std::invalid_argument& error) {
      file.refuse(fmt::format("'{}' {}", name, error.what()),
                  "make it an ordinary tensor and save the file again, or fetch it again");
    }
  }
  return tensors;
}

}  // namespace

Weights open_torch_file(std::unique_ptr<files::OpenFile> opened,
                        const std::optional<std::string>& key, files::Budget& budget) {
  TorchFile file(std::move(opened), budget);
  const std::string bytes = file.pickle();
  try {
    const Pickle pickle(bytes, budget);
    const std::vector<StateDict> found = find_dicts(file, pickle.root());
    return file.take(read_tensors(file, choose(file, found, key)));
  } catch (const std::invalid_argument& error) {
    file.refuse(error.what(), kMayBeDamaged);
  }
}

}  // namespace knead::weights
