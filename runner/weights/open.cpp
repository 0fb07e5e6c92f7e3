#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/bounded_json.h"
#include "runner/files/budget.h"
#include "runner/files/safetensors.h"
#include "runner/weights/torch_file.h"
#include "schema/document/error.h"

namespace knead::weights {
namespace {

constexpr std::size_t kLongestName = 1000;         // bytes; bounds the work of regular expressions
constexpr std::uint64_t kLongestIndex = 64 << 20;  // bytes; a hundred thousand tensors have 10 MB
constexpr std::string_view kIndexEnding = ".index.json";
constexpr const char* kFetchAgain = "fetch or write it again";

Weights open_safetensors(std::unique_ptr<files::OpenFile> file, files::Budget& budget) {
  const files::SafetensorsHeader header = files::read_safetensors_header(*file, budget);
  std::vector<Block> blocks;
  std::vector<StoredTensor> tensors;
  std::map<std::string, std::size_t> places;
  for (const files::SafetensorsPlace& place : header.tensors) {
    places[place.name] = tensors.size();
    tensors.push_back(
        {place.name, place.dtype, place.shape, row_major_strides(place.shape), blocks.size(), 0});
    blocks.push_back({0, place.name, place.begin, place.end - place.begin, std::nullopt});
  }
  // knead writes a tied weight once, with its other names as aliases in the metadata.
  for (const auto& [key, of] : header.metadata) {
    constexpr std::string_view kAlias = "alias:";
    if (!key.starts_with(kAlias) || !places.contains(of)) continue;
    const std::string name = key.substr(kAlias.size());
    if (places.contains(name)) continue;
    const std::size_t numbers = 2 * tensors[places[of]].shape.size();
    budget.hold(2 * sizeof tensors[0] + name.size() + numbers * sizeof(std::int64_t));
    tensors.push_back(tensors[places[of]]);
    tensors.back().name = name;
  }
  Weights::Files files;
  files.push_back(std::move(file));
  return {std::move(files), std::move(blocks), std::move(tensors)};
}

// --- recognising a file by its first bytes ---

/// Recognises a safetensors file by its length field and the { that begins its header.
bool is_safetensors(const files::OpenFile& file, const std::string& head) {
  std::uint64_t length = 0;
  if (head.size() < sizeof length + 1) return false;
  std::memcpy(&length, head.data(), sizeof length);
  return head[sizeof length] == '{' && length <= file.size() - sizeof length;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Describes a kind of file that is recognised only to be refused with a remedy.
struct OtherFile {
  std::string_view begin;  // first bytes of the file
  std::string_view words;
  std::string_view remedy;
};

using std::string_view_literals::operator""sv;

constexpr const char* kSaveAgain =
    "save it again where PyTorch is: torch.save(torch.load(\"old.pt\"), \"new.pt\")";
constexpr const char* kConvert =
    "convert it with the program it is from to safetensors, or to what torch.save writes";

// The first match counts, so a longer beginning stands before the shorter one that it contains.
constexpr std::array kOthers{
    OtherFile{"version https://git-lfs.", "is a pointer of Git LFS, not the file it stands for",
              "run: git lfs pull"},
    OtherFile{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv,
              "was written by torch.save in the format before PyTorch 1.6", kSaveAgain},
    OtherFile{"\x80"sv, "is a pickle of Python's, but not one of torch.save's", kSaveAgain},
    OtherFile{"\x89HDF"sv, "is an HDF5 file, as Keras writes it", kConvert},
    OtherFile{"GGUF"sv, "is a GGUF file, as llama.cpp reads it", kConvert},
    OtherFile{"\x93NUMPY"sv, "is an npy file of NumPy's", kConvert},
    OtherFile{"\x1f\x8b"sv, "is compressed with gzip", "unpack it: gunzip FILE"},
    OtherFile{"\x28\xb5\x2f\xfd"sv, "is compressed with zstd", "unpack it: unzstd FILE"},
};

[[noreturn]] void refuse_file(const files::OpenFile& file, std::string_view words,
                              std::string_view remedy) {
  throw Error(fmt::format("{} {}", file.path().string(), words), std::string(remedy));
}

/// Returns whether a file begins as an HTML page, which a failed download leaves behind.
bool is_page(const std::string& head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const std::string text = lower(head.substr(std::min(first, head.size())));
  return text.starts_with("<!doctype html") || text.starts_with("<html");
}

[[noreturn]] void refuse_other(const files::OpenFile& file, const std::string& head,
                               files::Budget& budget) {
  if (head.empty()) refuse_file(file, "is empty", kFetchAgain);
  if (std::all_of(head.begin(), head.end(), [](char c) { return c == '\0'; }))
    refuse_file(file, "holds only zeros: it was never written to its end", kFetchAgain);
  if (is_page(head))
    refuse_file(file, "is a web page, saved in place of the file",
                "fetch the file itself; the page may ask to log in, or be that of the repository");
  for (const OtherFile& other : kOthers) {
    if (head.starts_with(other.begin)) refuse_file(file, other.words, other.remedy);
  }
  if (head.size() > 262 && head.substr(257).starts_with("ustar"))
    refuse_file(file, "is a tar archive, of PyTorch before 0.1.10 or of something else",
                kSaveAgain);
  // A damaged safetensors file gets the more precise message of its reader.
  if (file.path().extension() == ".safetensors") files::read_safetensors_header(file, budget);
  refuse_file(file, "is neither a safetensors file nor one of torch.save's", kConvert);
}

Weights open_one(const std::filesystem::path& path, const std::optional<std::string>& key,
                 files::Budget& budget) {
  auto file = std::make_unique<files::OpenFile>(path);
  // 512 bytes hold the magic of a tar archive, which stands at byte 257.
  const std::string head = file->beginning(512);
  if (head.starts_with("PK\3\4")) return open_torch_file(std::move(file), key, budget);
  if (!is_safetensors(*file, head)) refuse_other(*file, head, budget);
  if (key)
    throw Error(fmt::format("{} has no '{}': a safetensors file holds one set of tensors",
                            path.string(), *key),
                "leave model.weights.key out");
  return open_safetensors(std::move(file), budget);
}

// --- several files and their index ---

/// Returns the tensors that an index assigns to each file, by name of the file.
std::map<std::string, std::vector<std::string>> read_index(const std::filesystem::path& path,
                                                           files::Budget& budget) {
  const auto refuse_file = [&] [[noreturn]] (const std::string& reason) {
    throw Error(fmt::format("{} is no index of weights: {}", path.string(), reason), kFetchAgain);
  };
  const files::OpenFile file(path);
  if (file.size() > kLongestIndex)
    refuse_file(fmt::format("it has {} bytes, where {} are the most", file.size(), kLongestIndex));
  const nlohmann::json json = [&] {
    try {
      return files::parse_bounded_json(file.read(0, file.size()), budget);
    } catch (const nlohmann::json::exception&) {
      refuse_file("it is not JSON");
    }
  }();
  if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
    refuse_file("it has no weight_map");
  std::map<std::string, std::vector<std::string>> files;
  for (const auto& [tensor, named] : json["weight_map"].items()) {
    // An index may come from anywhere, so it may only name files in its own folder.
    const std::string name = named.is_string() ? named.get<std::string>() : "";
    if (name.empty() || name.find_first_of(std::string_view("/\0", 2)) != name.npos ||
        name.starts_with('.'))
      refuse_file("it names a file that does not lie beside it");
    budget.hold(2 * sizeof tensor + tensor.size());
    files[name].push_back(tensor);
  }
  if (files.empty()) refuse_file("it names no file");
  return files;
}

Weights open_index(const std::filesystem::path& path, const std::optional<std::string>& key,
                   files::Budget& budget) {
  std::optional<Weights> all;
  for (const auto& [name, tensors] : read_index(path, budget)) {
    Weights part = open_one(path.parent_path() / name, key, budget);
    std::set<std::string_view> held;
    for (const StoredTensor& tensor : part.tensors()) held.insert(tensor.name);
    for (const std::string& tensor : tensors) {
      if (!held.contains(tensor))
        throw Error(
            fmt::format("{} says that '{}' is in {}, where it is not", path.string(), tensor, name),
            "fetch the files again, all of them");
    }
    if (all) {
      all->add(std::move(part));
    } else {
      all = std::move(part);
    }
  }
  return std::move(*all);
}

/// Refuses names that are too long or contain control characters, because names are put into
/// messages and matched by regular expressions.
void check_names(const Weights& weights, const std::filesystem::path& path) {
  std::set<std::string_view> names;
  for (const StoredTensor& tensor : weights.tensors()) {
    const auto is_control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
    const bool is_name = tensor.name.size() <= kLongestName &&
                         std::none_of(tensor.name.begin(), tensor.name.end(), is_control);
    if (!is_name)
      throw Error(fmt::format("{} holds a tensor whose name is none: {} bytes, or with characters "
                              "that cannot be shown",
                              path.string(), tensor.name.size()),
                  kFetchAgain);
    if (!names.insert(tensor.name).second)
      throw Error(fmt::format("{} holds '{}' twice", path.string(), tensor.name), kFetchAgain);
  }
}

}  // namespace

Weights open_weights(const std::filesystem::path& path, const std::optional<std::string>& key) {
  const bool is_index = path.string().ends_with(kIndexEnding);
  files::Budget budget(path.string());
  Weights weights = is_index ? open_index(path, key, budget) : open_one(path, key, budget);
  check_names(weights, path);
  return weights;
}

}  // namespace knead::weights
