#include "runner/data/arrays/array_source.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "runner/data/arrays/npy.h"
#include "tests/data/arrays/files.h"

using namespace knead;
using namespace knead::tests;
using data::ArrayField;
using data::ArraySource;
using data::Dtype;

namespace {

/// A field read from the bytes of an npy file, which must outlive it.
ArrayField field(const std::string& bytes, Dtype dtype, double scale = 1, double offset = 0) {
  ArrayField out;
  out.array = data::read_npy(bytes, "the.file");
  out.field = {"x", dtype,
               out.array.shape.empty() ? std::vector<std::int64_t>{} : out.array.sample_shape()};
  out.file = "the.file";
  out.bytes = {nullptr, bytes};
  out.scale = scale;
  out.offset = offset;
  return out;
}

template <class T>
std::vector<T> read(const ArraySource& source, const std::vector<std::uint64_t>& rows) {
  const std::size_t bytes = source.fields()[0].bytes_per_sample();
  std::vector<T> out(rows.size() * bytes / sizeof(T));
  source.read(0, {rows}, reinterpret_cast<std::byte*>(out.data()));
  return out;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string vector_of(const std::string& type, const std::string& values, std::size_t count) {
  return npy(npy_header(type, "(" + std::to_string(count) + ",)"), values);
}

/// All numbers of a file as `T`.
template <class T>
std::vector<T> all(const std::string& type, const std::string& values, std::size_t count,
                   Dtype dtype, double scale = 1, double offset = 0) {
  const std::string file = vector_of(type, values, count);
  std::vector<std::uint64_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = i;
  return read<T>(ArraySource({field(file, dtype, scale, offset)}), rows);
}

std::string why_not(const std::string& type, const std::string& values, std::size_t count,
                    Dtype dtype, double scale = 1) {
  return refusal([&] { all<std::int64_t>(type, values, count, dtype, scale); });
}

}  // namespace

TEST_CASE("rows are read in any order, as they are where nothing has to be converted") {
  const std::string file = npy(npy_header("<f4", "(3, 2)"), raw<float>({0, 1, 10, 11, 20, 21}));
  const ArraySource source({field(file, Dtype::float32)});
  CHECK(source.rows() == 3);
  CHECK(read<float>(source, {2, 0, 2}) == std::vector<float>{20, 21, 0, 1, 20, 21});
}

TEST_CASE("an array in Fortran order gives the same samples as in C order") {
  // (2, 2, 3), the first index fastest: value = 100 i + 10 j + k.
  std::vector<double> values;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) values.push_back(100 * i + 10 * j + k);
    }
  }
  const std::string file = npy(npy_header("<f8", "(2, 2, 3)", "True"), raw(values));
  const ArraySource source({field(file, Dtype::float32)});
  CHECK(read<float>(source, {1}) == std::vector<float>{100, 101, 102, 110, 111, 112});
  CHECK(read<float>(source, {0}) == std::vector<float>{0, 1, 2, 10, 11, 12});
}

TEST_CASE("numbers of every type and byte order become those of the field") {
  using Floats = std::vector<float>;
  using Whole = std::vector<std::int64_t>;
  CHECK(all<std::int64_t>("|u1", "\x07\xFF", 2, Dtype::int64) == Whole{7, 255});
  CHECK(all<std::int64_t>("|i1", "\x07\xFF", 2, Dtype::int64) == Whole{7, -1});
  CHECK(all<std::int64_t>(">i2", big(0xFFFE, 2), 1, Dtype::int64) == Whole{-2});
  CHECK(all<std::int64_t>(">u4", big(0xFFFFFFFE, 4), 1, Dtype::int64) == Whole{4294967294});
  CHECK(all<std::int64_t>("<f8", raw<double>({-3, 9007199254740993.0}), 2, Dtype::int64) ==
        Whole{-3, 9007199254740992});
  CHECK(all<float>(">f4", big(0x3FC00000, 4), 1, Dtype::float32) == Floats{1.5F});
  CHECK(all<float>("<u8", little(1ULL << 63, 8), 1, Dtype::float32) == Floats{0x1p63F});
  // Halves: 1.5, the smallest, the largest, -0 and infinity.
  CHECK(all<float>("<f2", raw<std::uint16_t>({0x3E00, 1, 0x7BFF, 0x8000, 0x7C00}), 5,
                   Dtype::float32) ==
        Floats{1.5F, 0x1p-24F, 65504, -0.0F, std::numeric_limits<float>::infinity()});
  CHECK(all<char>("|b1", std::string("\1\0", 2), 2, Dtype::boolean) == std::vector<char>{1, 0});
}

TEST_CASE("scale and offset are applied in double precision before rounding") {
  CHECK(all<float>("|u1", "\x01\xFF", 2, Dtype::float32, 1.0 / 255, -0.5) ==
        std::vector<float>{static_cast<float>(1 * (1.0 / 255) - 0.5),
                           static_cast<float>(255 * (1.0 / 255) - 0.5)});
  CHECK(all<std::int64_t>("|u1", "\x05", 1, Dtype::int64, 2, 1) == std::vector<std::int64_t>{11});
}

TEST_CASE("a number that the type cannot hold is refused with file, sample and byte") {
  CHECK(why_not("<f8", raw<double>({1, 2.5}), 2, Dtype::int64) ==
        "the.file: sample 1: 2.5 does not fit int64 (number 0 of the sample, byte 79)");
  CHECK(why_not("<f8", raw<double>({std::numeric_limits<double>::quiet_NaN()}), 1, Dtype::int64) ==
        "the.file: sample 0: nan does not fit int64 (number 0 of the sample, byte 71)");
  CHECK(why_not("<f8", raw<double>({9223372036854775808.0}), 1, Dtype::int64) ==
        "the.file: sample 0: 9.223372036854776e+18 does not fit int64 (number 0 of the sample, "
        "byte 71)");
  CHECK(why_not("<u8", little(1ULL << 63, 8), 1, Dtype::int64) != "");
  CHECK(why_not("<i4", raw<std::int32_t>({256}), 1, Dtype::uint8) ==
        "the.file: sample 0: 256 does not fit uint8 (number 0 of the sample, byte 71)");
  CHECK(why_not("<i8", raw<std::int64_t>({-1}), 1, Dtype::uint8) ==
        "the.file: sample 0: -1 does not fit uint8 (number 0 of the sample, byte 71)");
  CHECK(why_not("<i4", raw<std::int32_t>({2}), 1, Dtype::boolean) ==
        "the.file: sample 0: 2 does not fit bool (number 0 of the sample, byte 71)");
  CHECK(why_not("<i4", raw<std::int32_t>({3}), 1, Dtype::int64, 0.5) ==
        "the.file: sample 0: 3, scaled, does not fit int64 (number 0 of the sample, byte 71)");
}

TEST_CASE("a finite number that would be infinite is refused, what is infinite stays so") {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto why = [](const std::vector<double>& values, Dtype dtype, double scale = 1) {
    try {
      all<float>("<f8", raw(values), values.size(), dtype, scale);
    } catch (const Error& error) {
      return std::string(error.what()) + " | " + error.remedy();
    }
    return std::string();
  };
  CHECK(why({1, 1e300}, Dtype::float32) ==
        "the.file: sample 1: 1e+300 does not fit float32 (number 0 of the sample, byte 79) | write "
        "'dtype: float64' or a scale for the field 'x'");
  CHECK(why({-1e300}, Dtype::float32, 1e10) ==
        "the.file: sample 0: -1e+300, scaled, does not fit float32 (number 0 of the sample, byte "
        "71) | write 'dtype: float64' or a scale for the field 'x'");
  CHECK(
      why({1e300}, Dtype::float64, 1e10) ==
      "the.file: sample 0: 1e+300, scaled, does not fit float64 (number 0 of the sample, byte 71) "
      "| write a smaller scale for the field 'x'");
  CHECK(why_not("<f4", raw<float>({2e38F}), 1, Dtype::float32, 2) ==
        "the.file: sample 0: 1.9999999360571385e+38, scaled, does not fit float32 (number 0 of the "
        "sample, byte 71)");
  const std::string largest = raw<double>({0x1.fffffefffffffp127, 1e300});
  CHECK(all<float>("<f8", largest.substr(0, 8), 1, Dtype::float32) ==
        std::vector<float>{0x1.fffffep127F});
  CHECK(all<float>("<f8", largest.substr(8), 1, Dtype::float32, 1e-300) == std::vector<float>{1});
  const auto kept =
      all<float>("<f8", raw<double>({infinity, -infinity, std::nan("")}), 3, Dtype::float32, 2, 1);
  CHECK(kept[0] == std::numeric_limits<float>::infinity());
  CHECK(kept[1] == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(kept[2]));
}

TEST_CASE("arrays that do not fit their fields or one another are refused") {
  const std::string three = vector_of("<f4", std::string(12, '\0'), 3);
  const std::string two = vector_of("<f4", std::string(8, '\0'), 2);
  CHECK(refusal([&] {
          ArraySource({field(three, Dtype::float32), field(two, Dtype::float32)});
        }) == "the.file has 3 samples, the.file has 2");
  const std::string none = vector_of("<f4", "", 0);
  CHECK(refusal([&] { ArraySource({field(none, Dtype::float32)}); }) == "the.file: no samples");
  const std::string single = npy(npy_header("<f4", "()"), std::string(4, '\0'));
  CHECK(refusal([&] { ArraySource({field(single, Dtype::float32)}); }) ==
        "the.file holds a single number, not samples");
  ArrayField reshaped = field(three, Dtype::float32);
  reshaped.field.shape = {4};
  CHECK(refusal([&] { ArraySource({reshaped}); }) ==
        "the.file: a sample is (), the field 'x' is (4)");
}
