#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/bounded_json.h"
#include "runner/files/dtypes.h"
#include "runner/files/safetensors.h"
#include "schema/document/json_text.h"

namespace knead::files {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kLongestHeader = 100'000'000;  // the reference reader's limit in bytes
constexpr std::size_t kMostDimensions = 64;            // as LibTorch has them
constexpr std::size_t kDeepest = 3;  // levels of nesting: the file, a tensor, its shape

/// Carries the reason for refusing a file; naming() puts the path before it.
struct Refused {
  std::string reason;
};

/// Quotes a name of the header, which may contain any character.
std::string in_quotes(const std::string& name) { return schema::json_text(Json(name)); }

using Place = SafetensorsPlace;

// Bytes that are kept of a key to find it again, and of a tensor by the caller.
constexpr std::uint64_t kOfKey = 100;
constexpr std::uint64_t kOfTensor = 600;

/// Refuses what nlohmann-json accepts: duplicate keys at any level, and deep nesting.
class Strict : public JsonWatch {
 public:
  explicit Strict(Budget& budget) : budget_(budget) {}

  void begin_block(std::size_t depth) override {
    begin_list(depth);
    seen_.emplace_back();
  }
  void begin_list(std::size_t depth) override {
    if (depth > kDeepest) throw Refused{"its header is nested too deeply"};
  }
  void key(std::size_t depth, const std::string& key) override {
    budget_.hold(kOfKey + 2 * key.size() + (depth == 1 ? kOfTensor : 0));
    if (!seen_.back().insert(key).second)
      throw Refused{fmt::format("its header has the key {} twice", in_quotes(key))};
  }
  void end_block() override { seen_.pop_back(); }

 private:
  Budget& budget_;
  std::vector<std::set<std::string>> seen_;
};

Json parse_header(const std::string& text, Budget& budget) {
  if (text.empty() || text.front() != '{') throw Refused{"its header does not begin with {"};
  Strict strict(budget);
  try {
    return parse_bounded_json(text, budget, &strict);
  } catch (const Json::exception&) {
    throw Refused{"its header is no JSON"};
  }
}

Metadata read_metadata(const Json& json) {
  Metadata out;
  if (!json.is_object()) throw Refused{"its __metadata__ is no object"};
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string())
      throw Refused{fmt::format("its __metadata__ {} is no text", in_quotes(key))};
    out[key] = value;
  }
  return out;
}

std::vector<std::uint64_t> read_numbers(const std::string& name, const std::string& key,
                                        const Json& json) {
  const auto wrong = [&] {
    return Refused{fmt::format("the {} of {} is no list of whole numbers", key, in_quotes(name))};
  };
  if (!json.is_array()) throw wrong();
  std::vector<std::uint64_t> out;
  for (const Json& number : json) {
    if (!number.is_number_unsigned()) throw wrong();
    // Dimensions are signed in memory, as LibTorch has them.
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      throw wrong();
    out.push_back(number);
  }
  return out;
}

Place read_place(const std::string& name, const Json& json) {
  if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets") || !json["dtype"].is_string()) {
    throw Refused{fmt::format("{} has not just dtype, shape and data_offsets", in_quotes(name))};
  }
  Place place;
  place.name = name;
  place.dtype = json["dtype"];
  if (json["shape"].is_array() && json["shape"].size() > kMostDimensions)
    throw Refused{fmt::format("{} has {} dimensions, where {} are the most", in_quotes(name),
                              json["shape"].size(), kMostDimensions)};
  for (const std::uint64_t size : read_numbers(name, "shape", json["shape"])) {
    place.shape.push_back(static_cast<std::int64_t>(size));
  }
  const std::vector<std::uint64_t> offsets =
      read_numbers(name, "data_offsets", json["data_offsets"]);
  if (offsets.size() != 2 || offsets[0] > offsets[1]) {
    throw Refused{fmt::format("the data_offsets of {} are no begin and end", in_quotes(name))};
  }
  place.begin = offsets[0];
  place.end = offsets[1];
  const std::optional<Dtype> dtype = find_dtype(place.dtype);
  if (!dtype)
    throw Refused{
        fmt::format("{} has the unknown dtype {}", in_quotes(name), in_quotes(place.dtype))};
  if (tensor_size(*dtype, place.shape) != place.end - place.begin) {
    throw Refused{fmt::format("the shape of {} does not fit its {} bytes", in_quotes(name),
                              place.end - place.begin)};
  }
  return place;
}

/// Reads the tensors in the order of their data, which must fill `size` bytes without gap or
/// overlap.
std::vector<Place> read_places(const Json& json, std::uint64_t size) {
  std::vector<Place> places;
  for (const auto& [name, value] : json.items()) {
    if (name != "__metadata__") places.push_back(read_place(name, value));
  }
  std::sort(places.begin(), places.end(), [](const Place& left, const Place& right) {
    // A tensor without bytes begins where the next one does and must come before it.
    return std::tie(left.begin, left.end) < std::tie(right.begin, right.end);
  });
  std::uint64_t at = 0;
  for (const Place& place : places) {
    if (place.begin != at) {
      throw Refused{fmt::format("the data of {} begins at {}, not at {}", in_quotes(place.name),
                                place.begin, at)};
    }
    at = place.end;
  }
  if (at != size) throw Refused{fmt::format("it has {} bytes of data, not {}", size, at)};
  return places;
}

/// Fills `bytes` from the file; refuses a file that ends before.
void fill(InputFile& in, std::span<std::byte> bytes) {
  if (in.read(bytes) < bytes.size()) throw Refused{"it ends too early"};
}

/// Checks that a header of `length` bytes fits into the file, and returns the length.
std::uint64_t check_length(std::uint64_t length, std::uint64_t file_size) {
  if (length > file_size - sizeof length || length > kLongestHeader) {
    throw Refused{fmt::format("its header cannot have {} bytes", length)};
  }
  return length;
}

void check_size(std::uint64_t file_size) {
  if (file_size < sizeof(std::uint64_t)) throw Refused{"it is shorter than 8 bytes"};
}

/// Parses the header; offsets count from the beginning of the data.
SafetensorsHeader parse(const std::string& text, std::uint64_t data_size, Budget& budget) {
  const Json json = parse_header(text, budget);
  SafetensorsHeader header;
  if (json.contains("__metadata__")) header.metadata = read_metadata(json["__metadata__"]);
  header.tensors = read_places(json, data_size);
  return header;
}

Safetensors read(InputFile& in, Budget& budget) {
  check_size(in.size());
  std::uint64_t length = 0;
  fill(in, std::as_writable_bytes(std::span(&length, 1)));
  std::string text(check_length(length, in.size()), '\0');
  fill(in, std::as_writable_bytes(std::span(text)));
  SafetensorsHeader header = parse(text, in.size() - sizeof length - length, budget);
  Safetensors out{{}, std::move(header.metadata)};
  for (Place& place : header.tensors) {
    TensorBytes& tensor = out.tensors.emplace_back(
        TensorBytes{std::move(place.name), std::move(place.dtype), std::move(place.shape),
                    OwnBytes(place.end - place.begin)});
    fill(in, tensor.bytes);
  }
  return out;
}

/// Reads a header. `read(at, bytes)` fills bytes from an offset of the file.
template <class Read>
SafetensorsHeader read_header(std::uint64_t file_size, Budget& budget, Read&& read) {
  check_size(file_size);
  std::uint64_t length = 0;
  read(0, std::as_writable_bytes(std::span(&length, 1)));
  std::string text(check_length(length, file_size), '\0');
  read(sizeof length, std::as_writable_bytes(std::span(text)));
  const std::uint64_t data = sizeof length + length;
  SafetensorsHeader header = parse(text, file_size - data, budget);
  for (Place& place : header.tensors) {
    // The caller gets offsets that count from the beginning of the file.
    place.begin += data;
    place.end += data;
  }
  return header;
}

/// Calls a function and turns Refused into an Error that names the file.
template <class Function>
auto naming(const std::filesystem::path& path, Function&& function) {
  try {
    return function();
  } catch (const Refused& refused) {
    throw Error(fmt::format("{} is no safetensors file: {}", path.string(), refused.reason),
                "it may be cut short or damaged: fetch or write it again");
  }
}

}  // namespace

Safetensors read_safetensors(InputFile& in, const std::filesystem::path& path) {
  Budget budget(path.string());
  return naming(path, [&] { return read(in, budget); });
}

SafetensorsHeader read_safetensors_header(const OpenFile& file) {
  Budget budget(file.path().string());
  return read_safetensors_header(file, budget);
}

SafetensorsHeader read_safetensors_header(const OpenFile& file, Budget& budget) {
  return naming(file.path(), [&] {
    return read_header(file.size(), budget,
                       [&](std::uint64_t at, std::span<std::byte> bytes) { file.read(at, bytes); });
  });
}

SafetensorsHeader read_safetensors_header(std::string_view file,
                                          const std::filesystem::path& path) {
  Budget budget(path.string());
  return naming(path, [&] {
    return read_header(file.size(), budget, [&](std::uint64_t at, std::span<std::byte> bytes) {
      std::memcpy(bytes.data(), file.data() + at, bytes.size());
    });
  });
}

}  // namespace knead::files
