#include "runner/data/arrays/idx.h"

#include "tests/data/arrays/files.h"

using namespace knead;
using namespace knead::tests;
using data::Stored;
using data::StoredArray;

namespace {

std::string idx_file(int type, const std::vector<std::uint32_t>& shape, const std::string& values) {
  std::string out = {0, 0, static_cast<char>(type), static_cast<char>(shape.size())};
  for (const std::uint32_t size : shape) out += big(size, 4);
  return out + values;
}

StoredArray read_idx(const std::string& bytes) { return data::read_idx(bytes, "the.file"); }

std::string why_not_idx(const std::string& bytes) {
  return refusal([&] { read_idx(bytes); });
}

}  // namespace

TEST_CASE("an idx file says type, shape and where its values begin, big-endian") {
  const StoredArray array = read_idx(idx_file(0x0B, {3, 2}, std::string(12, 'x')));
  CHECK(array.type == Stored::int16);
  CHECK(array.is_big_endian);
  CHECK(array.shape == std::vector<std::int64_t>{3, 2});
  CHECK(array.begin == 12);
  const std::pair<int, Stored> types[] = {{0x08, Stored::uint8},
                                          {0x09, Stored::int8},
                                          {0x0C, Stored::int32},
                                          {0x0D, Stored::float32},
                                          {0x0E, Stored::float64}};
  for (const auto& [code, type] : types)
    CHECK(read_idx(idx_file(code, {1}, std::string(data::bytes_of(type), ' '))).type == type);
}

TEST_CASE("an idx file that is cut short anywhere is refused with its name") {
  check_truncation(idx_file(0x08, {3, 2}, "abcdef"), read_idx);
}

TEST_CASE("headers of idx files that lie are refused") {
  CHECK(why_not_idx("PK\x03\x04") == "the.file: no idx file, bytes 0 and 1 are not 0");
  CHECK(why_not_idx(idx_file(0x0A, {1}, "x")) == "the.file: the type 0x0a is unknown (byte 2)");
  CHECK(why_not_idx(idx_file(0x08, {3, 2}, "abcdefg")) ==
        "the.file: (3, 2) of uint8 take 6 bytes, 7 follow the header at byte 12");
  CHECK(why_not_idx(idx_file(0x0E, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "")) ==
        "the.file: the shape (4294967295, 4294967295, 4294967295) is larger than any file");
  CHECK(why_not_idx(std::string({0, 0, 8, 127}) + "abcd") ==
        "the.file: the header of 127 dimensions is cut short at byte 8");
}
