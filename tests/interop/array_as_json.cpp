// array_as_json KIND FILE [KEY]: an array of an npy, npz, idx or safetensors file as knead reads
// it, all numbers as float64.

#include <cstdio>
#include <cstring>
#include <numeric>

#include <nlohmann/json.hpp>

#include "runner/data/arrays/open_arrays.h"
#include "schema/document/error.h"

namespace {

using namespace knead;

template <class Field>
Field plain() {
  Field field;
  field.dtype = Field::Dtype::float64;
  field.scale = 1;
  field.offset = 0;
  return field;
}

template <class Set>
Set by_file(const char* path) {
  auto field = plain<recipe::ArrayFile>();
  field.path = path;
  Set set;
  set.fields = {{"x", field}};
  return set;
}

template <class Set>
Set by_key(const char* path, const char* key) {
  auto field = plain<recipe::ArrayKey>();
  field.key = key;
  Set set;
  set.path = path;
  set.fields = {{"x", field}};
  return set;
}

std::shared_ptr<const data::Source> open(const std::string& kind, char** rest) {
  if (kind == "npy") return data::open_npy(by_file<recipe::Npy>(rest[0]));
  if (kind == "idx") return data::open_idx(by_file<recipe::Idx>(rest[0]));
  if (kind == "npz") return data::open_npz(by_key<recipe::Npz>(rest[0], rest[1]));
  return data::open_safetensors(by_key<recipe::Safetensors>(rest[0], rest[1]));
}

}  // namespace

int main(int, char** arguments) {
  try {
    const auto source = open(arguments[1], arguments + 2);
    std::vector<std::uint64_t> rows(source->rows());
    std::iota(rows.begin(), rows.end(), 0);
    const data::Field& field = source->fields()[0];
    std::vector<double> values(rows.size() * field.bytes_per_sample() / sizeof(double));
    source->read(0, {rows}, reinterpret_cast<std::byte*>(values.data()));
    nlohmann::json words = nlohmann::json::array();
    for (const double value : values) {
      char text[64];
      std::snprintf(text, sizeof text, "%.17g", value);
      words.push_back(text);
    }
    const nlohmann::json out{{"shape", field.shape}, {"values", words}};
    std::printf("%s\n", out.dump().c_str());
  } catch (const Error& error) {
    std::printf("\"%s\"\n", "refused");
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 0;
}
