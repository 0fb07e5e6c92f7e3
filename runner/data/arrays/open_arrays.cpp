#include "runner/data/arrays/open_arrays.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/data/arrays/array_source.h"
#include "runner/data/arrays/idx.h"
#include "runner/data/arrays/npy.h"
#include "runner/data/arrays/zip.h"
#include "runner/data/packed/inflate.h"
#include "runner/files/budget.h"
#include "runner/files/safetensors.h"
#include "schema/document/error.h"
#include "schema/document/suggest.h"

namespace knead::data {
namespace {

/// Describes a field that reads an array. `key`: a recipe's ArrayFile or ArrayKey.
template <class Key>
ArrayField field_of(const std::string& name, const Key& key, const std::string& file,
                    StoredArray array, files::Bytes bytes) {
  ArrayField out;
  out.field.name = name;
  const bool is_scaled = key.scale != 1 || key.offset != 0;
  out.field.dtype =
      key.dtype ? dtype_named(recipe::to_string(*key.dtype)) : usual_dtype(array.type, is_scaled);
  if (key.shape) {
    out.field.shape = *key.shape;
  } else if (!array.shape.empty()) {
    out.field.shape = array.sample_shape();
  }
  out.file = file;
  out.array = std::move(array);
  out.bytes = std::move(bytes);
  out.scale = key.scale;
  out.offset = key.offset;
  return out;
}

const std::string& key_of(const std::string& name, const recipe::ArrayKey& field) {
  if (field.key) return *field.key;
  return name;
}

[[noreturn]] void refuse_key(const std::string& file, const std::string& key,
                             const std::vector<std::string>& names) {
  throw Error(fmt::format("{} has no array '{}'", file, key),
              schema::did_you_mean(key, names, fmt::format("it has: {}", fmt::join(names, ", "))));
}

/// Returns the name of an array from the name of its member, "x" for "x.npy".
std::string array_name(const std::string& entry) {
  return entry.ends_with(".npy") ? entry.substr(0, entry.size() - 4) : entry;
}

const files::ZipEntry& find_entry(const std::vector<files::ZipEntry>& entries,
                                  const std::string& key, const std::string& file) {
  std::vector<std::string> names;
  for (const files::ZipEntry& entry : entries) {
    names.push_back(array_name(entry.name));
    if (names.back() == key) return entry;
  }
  refuse_key(file, key, names);
}

/// Returns the bytes of an idx file, unpacked if gzip packed them.
files::Bytes idx_bytes(const std::filesystem::path& path) {
  const files::Bytes file = files::map_file(path);
  if (!file.view.starts_with("\x1f\x8b")) return file;
  constexpr auto kGzip = Inflater::Wrapping::gzip;
  // The header is unpacked first, because it tells the unpacked size of the file.
  std::string header(kLongestIdxHeader, '\0');
  header.resize(Inflater(file.view, kGzip, path.string(), 0).read(header));
  const StoredArray array = read_idx_header(header, path.string());
  const std::uint64_t size = array.begin + bytes_of(array.type, array.shape).value();
  return inflate_all(file.view, kGzip, size, path.string(), 0);
}

std::optional<Stored> stored_type(const std::string& word) {
  struct Pair {
    std::string_view word;
    Stored type;
  };
  static constexpr Pair kTypes[] = {
      {"BOOL", Stored::boolean}, {"U8", Stored::uint8},      {"I8", Stored::int8},
      {"U16", Stored::uint16},   {"I16", Stored::int16},     {"U32", Stored::uint32},
      {"I32", Stored::int32},    {"U64", Stored::uint64},    {"I64", Stored::int64},
      {"F16", Stored::float16},  {"BF16", Stored::bfloat16}, {"F32", Stored::float32},
      {"F64", Stored::float64}};
  for (const Pair& pair : kTypes) {
    if (pair.word == word) return pair.type;
  }
  return std::nullopt;
}

StoredArray array_of(const files::SafetensorsPlace& place, const std::string& file) {
  const auto type = stored_type(place.dtype);
  if (!type) {
    throw Error(fmt::format("{}: '{}' is {}, which no field can be read from", file, place.name,
                            place.dtype),
                "whole numbers, bool, F16, BF16, F32 and F64 can");
  }
  return {*type, false, false, place.shape, place.begin};
}

const files::SafetensorsPlace& find_place(const std::vector<files::SafetensorsPlace>& places,
                                          const std::string& key, const std::string& file) {
  std::vector<std::string> names;
  for (const files::SafetensorsPlace& place : places) {
    names.push_back(place.name);
    if (place.name == key) return place;
  }
  refuse_key(file, key, names);
}

}  // namespace

std::shared_ptr<const Source> open_npy(const recipe::Npy& npy) {
  std::vector<ArrayField> arrays;
  for (const auto& [name, field] : npy.fields) {
    const std::string file = field.path.value().string();
    files::Bytes bytes = files::map_file(field.path.value());
    StoredArray array = read_npy(bytes.view, file);
    arrays.push_back(field_of(name, field, file, std::move(array), std::move(bytes)));
  }
  return std::make_shared<const ArraySource>(std::move(arrays));
}

std::shared_ptr<const Source> open_idx(const recipe::Idx& idx) {
  std::vector<ArrayField> arrays;
  for (const auto& [name, field] : idx.fields) {
    const std::string file = field.path.value().string();
    files::Bytes bytes = idx_bytes(field.path.value());
    StoredArray array = read_idx(bytes.view, file);
    arrays.push_back(field_of(name, field, file, std::move(array), std::move(bytes)));
  }
  return std::make_shared<const ArraySource>(std::move(arrays));
}

std::shared_ptr<const Source> open_npz(const recipe::Npz& npz) {
  const std::string file = npz.path.value().string();
  files::Budget budget(file);
  NpzArchive archive(files::map_file(npz.path.value()), file, budget);
  std::vector<ArrayField> arrays;
  for (const auto& [name, field] : npz.fields) {
    const std::string& key = key_of(name, field);
    const std::string inside = fmt::format("{}: '{}'", file, key);
    files::Bytes bytes = archive.read(find_entry(archive.entries(), key, file));
    StoredArray array = read_npy(bytes.view, inside);
    arrays.push_back(field_of(name, field, inside, std::move(array), std::move(bytes)));
  }
  return std::make_shared<const ArraySource>(std::move(arrays));
}

std::shared_ptr<const Source> open_safetensors(const recipe::Safetensors& safetensors) {
  const std::filesystem::path& path = safetensors.path.value();
  const std::string file = path.string();
  const files::Bytes bytes = files::map_file(path);
  const auto places = files::read_safetensors_header(bytes.view, path).tensors;
  std::vector<ArrayField> arrays;
  for (const auto& [name, field] : safetensors.fields) {
    const files::SafetensorsPlace& place = find_place(places, key_of(name, field), file);
    const std::string inside = fmt::format("{}: '{}'", file, place.name);
    arrays.push_back(field_of(name, field, inside, array_of(place, file), bytes));
  }
  return std::make_shared<const ArraySource>(std::move(arrays));
}

}  // namespace knead::data
