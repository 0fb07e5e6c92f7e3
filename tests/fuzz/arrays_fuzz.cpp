// Any bytes as a file of data. The first byte says which kind the others are: an npy, an npz, an
// idx, a JPEG or PNG, JSON lines, a csv file, a safetensors file, a tar of samples, what gzip or
// zstd packed. Whatever they are, they are read or refused.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "runner/data/arrays/array_source.h"
#include "runner/data/arrays/idx.h"
#include "runner/data/arrays/npy.h"
#include "runner/data/arrays/zip.h"
#include "runner/data/images/pixels.h"
#include "runner/data/packed/unpacker.h"
#include "runner/data/table/csv.h"
#include "runner/data/table/jsonl.h"
#include "runner/data/tar/open_tar.h"
#include "runner/files/safetensors.h"
#include "schema/document/error.h"

namespace {

using namespace knead;

const std::string kName = "a.file";

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// Reads the first and the last sample of an array.
void read_samples(const data::StoredArray& array, const std::string& bytes) {
  if (array.shape.empty() || array.numbers_per_sample() > bytes.size()) return;
  data::ArrayField field;
  field.field = {"x", data::Dtype::int64, array.sample_shape()};
  field.file = kName;
  field.array = array;
  field.bytes = {nullptr, bytes};
  const data::ArraySource source({field});
  std::vector<std::byte> out(2 * source.fields()[0].bytes_per_sample());
  const std::uint64_t rows[] = {source.rows() - 1, 0};
  source.read(0, {rows}, out.data());
}

void read_npz(const std::string& bytes) {
  files::Budget budget(kName);
  data::NpzArchive archive({nullptr, bytes}, kName, budget);
  std::uint64_t most = 1 << 20;  // what a small file may unpack to, here
  for (const files::ZipEntry& entry : archive.entries()) {
    if (entry.unpacked > most) return;
    most -= entry.unpacked;
    const files::Bytes inside = archive.read(entry);
    if (inside.view.size() != entry.unpacked) fail("an entry of another size than announced");
    read_samples(data::read_npy(inside.view, kName), std::string(inside.view));
  }
}

void read_image(const std::string& bytes) {
  const data::ImageSize size = data::image_size(bytes, kName);
  if (size.height * size.width > 1 << 20) return;
  const data::Pixels image = data::decode_image(bytes, 3, kName);
  if (image.values.size() != static_cast<std::size_t>(size.height * size.width * 3))
    fail("an image of another size than its header says");
  data::resized(image, {3, 5});
}

void unpack(data::Packing packing, std::string_view bytes) {
  constexpr std::size_t kPiece = 100;
  const auto next = [&] {
    const std::string_view piece = bytes.substr(0, kPiece);
    bytes.remove_prefix(piece.size());
    return piece;
  };
  const auto unpacker = data::make_unpacker(packing, next, kName);
  std::string out(1000, '\0');
  for (int pieces = 0; pieces < 1000 && unpacker->read(out) == out.size(); ++pieces) {
  }
}

/// The bytes as a file, for what is read by its path.
std::string in_a_file(const std::string& bytes) {
  static const std::string path = "/tmp/knead-fuzz-" + std::to_string(::getpid());
  if (std::FILE* file = std::fopen(path.c_str(), "wb")) {
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
  }
  return path;
}

/// Reads a field of the first and the last sample, whichever of them an archive has.
void read_tar(const std::string& bytes) {
  if (data::packing_of(bytes) != data::Packing::none)
    return;  // they would be unpacked into a cache
  const std::string path = in_a_file(bytes);
  for (const char* extension : {"cls", "json", "npy", "txt"}) {
    recipe::Tar tar;
    tar.path = {path};
    recipe::TarField field;
    field.extension = {extension};
    field.channels = 3;
    field.scale = 1;
    field.offset = 0;
    tar.fields = {{"x", field}};
    try {
      const auto source = data::open_tar(tar);
      if (source->fields()[0].bytes_per_sample() > 1 << 20) continue;
      std::vector<std::byte> out(2 * source->fields()[0].bytes_per_sample());
      const std::uint64_t rows[] = {source->rows() - 1, 0};
      source->read(0, {rows}, out.data());
    } catch (const Error& error) {
      if (std::string(error.what()).empty()) fail("an error without words");
    }
  }
}

void read_jsonl(const std::string& bytes) {
  recipe::Jsonl jsonl;
  jsonl.path = in_a_file(bytes);
  recipe::JsonlField words;
  words.key = "w.a";
  words.categories = {{"a", "b"}};
  jsonl.fields = {{"x", {}}, {"w", words}};
  data::read_jsonl(jsonl);
}

void read_csv(const std::string& bytes) {
  recipe::Csv csv;
  csv.path = in_a_file(bytes);
  csv.delimiter = ",";
  recipe::CsvField first;
  first.columns = {std::int64_t{0}};
  first.scale = 1;
  first.offset = 0;
  recipe::CsvField words = first;
  words.columns = {std::int64_t{1}};
  words.categories = {{"a", "b"}};
  csv.fields = {{"x", first}, {"w", words}};
  data::read_csv(csv);
}

void read(char kind, const std::string& bytes) {
  switch (kind) {
    case 'n': return read_samples(data::read_npy(bytes, kName), bytes);
    case 'z': return read_npz(bytes);
    case 'i': return read_samples(data::read_idx(bytes, kName), bytes);
    case 'j': return read_jsonl(bytes);
    case 'c': return read_csv(bytes);
    case 't': return read_tar(bytes);
    case 'g': return unpack(data::Packing::gzip, bytes);
    case 'd': return unpack(data::Packing::zstd, bytes);
    case 's': files::read_safetensors_header(bytes, kName); return;
    default: return read_image(bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    read(bytes[0], bytes.substr(1));
  } catch (const Error& error) {
    if (std::string(error.what()).empty()) fail("an error without words");
  }
  return 0;
}
