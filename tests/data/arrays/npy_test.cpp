#include "runner/data/arrays/npy.h"

#include "tests/data/arrays/files.h"

using namespace knead;
using namespace knead::tests;
using data::Stored;
using data::StoredArray;

namespace {

const std::string kSix(24, 'x');  // the bytes of six float32

StoredArray read_npy(const std::string& bytes) { return data::read_npy(bytes, "the.file"); }

std::string why_not_npy(const std::string& bytes) {
  return refusal([&] { read_npy(bytes); });
}

std::string why_not_header(const std::string& header) { return why_not_npy(npy(header, kSix)); }

}  // namespace

TEST_CASE("an npy file of every version says type, shape and where its values begin") {
  for (const int version : {1, 2, 3}) {
    const std::string header = npy_header("<f4", "(3, 2)");
    const StoredArray array = read_npy(npy(header, kSix, version));
    CHECK(array.type == Stored::float32);
    CHECK(array.shape == std::vector<std::int64_t>{3, 2});
    CHECK_FALSE(array.is_big_endian);
    CHECK_FALSE(array.is_fortran);
    CHECK(array.begin == (version == 1 ? 10 : 12) + header.size());
  }
}

TEST_CASE("byte order, Fortran order and the ways of writing a header are understood") {
  CHECK(read_npy(npy(npy_header(">f4", "(6,)"), kSix)).is_big_endian);
  CHECK(read_npy(npy(npy_header("<f4", "(2, 3)", "True"), kSix)).is_fortran);
  CHECK(read_npy(npy(npy_header("<f4", "(6L,)"), kSix)).shape == std::vector<std::int64_t>{6});
  CHECK(read_npy(npy(npy_header("|u1", "(24,)"), kSix)).type == Stored::uint8);
  CHECK(read_npy(npy("{\"shape\":(6,),\"descr\":\"=f4\",\"fortran_order\":False}", kSix)).type ==
        Stored::float32);
  CHECK(read_npy(npy(npy_header("<f8", "()"), std::string(8, ' '))).shape.empty());
  const std::pair<const char*, Stored> types[] = {
      {"|b1", Stored::boolean}, {"|i1", Stored::int8},   {"<u2", Stored::uint16},
      {"<i2", Stored::int16},   {"<u4", Stored::uint32}, {"<i4", Stored::int32},
      {"<u8", Stored::uint64},  {"<i8", Stored::int64},  {"<f2", Stored::float16},
      {"<f8", Stored::float64}};
  for (const auto& [word, type] : types) {
    CHECK(read_npy(npy(npy_header(word, "(1,)"), std::string(data::bytes_of(type), ' '))).type ==
          type);
  }
}

TEST_CASE("an npy file that is cut short anywhere is refused with its name") {
  for (const int version : {1, 2, 3})
    check_truncation(npy(npy_header("<f4", "(3, 2)"), kSix, version), read_npy);
}

TEST_CASE("headers of npy files that lie are refused at their byte") {
  CHECK(why_not_npy("hello") == "the.file: no npy file, it does not begin with \\x93NUMPY");
  CHECK(why_not_npy(npy("{}", "", 4)) ==
        "the.file: version 4 of the npy format is unknown (byte 6)");
  CHECK(why_not_header(npy_header("<f4", "(4, 2)")) ==
        "the.file: (4, 2) of float32 take 32 bytes, 24 follow the header at byte 73");
  CHECK(why_not_header(npy_header("<f4", "(4611686018427387904, 4)")) ==
        "the.file: the shape (4611686018427387904, 4) is larger than any file");
  CHECK(why_not_header(npy_header("<f4", "(0, 4611686018427387904, 4)")) ==
        "the.file: the shape (0, 4611686018427387904, 4) is larger than any file");
  CHECK(why_not_header(npy_header("<f4", "(-3, 2)")) ==
        "the.file: a size of the shape is no count (byte 61)");
  CHECK(why_not_header(npy_header("<f4", "(99999999999999999999,)")) ==
        "the.file: a size of the shape is no count (byte 61)");
  CHECK(why_not_header(npy_header("<f4", "(3 2)")) ==
        "the.file: ',' or ')' is missing in the shape (byte 63)");
  CHECK(why_not_header(npy_header("|O", "(3, 2)")) ==
        "the.file: it holds pickled Python objects, which are never loaded (byte 20)");
  CHECK(why_not_header(npy_header("<c8", "(3,)")) ==
        "the.file: the type '<c8' is no number that knead reads (byte 20)");
  CHECK(why_not_header("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,), }") ==
        "the.file: its rows are records of several types, not numbers (byte 20)");
  CHECK(why_not_header("{'descr': '<f4', 'shape': (6,), }") ==
        "the.file: the header lacks 'descr', 'fortran_order' or 'shape' (byte 43)");
  CHECK(why_not_header("{'descr': '<f4', 'descr': '<f4'}") ==
        "the.file: the header has an unknown or a second 'descr' (byte 35)");
  CHECK(why_not_header("{'descr': '<f4', 'fortran_order': 1, 'shape': (6,)}") ==
        "the.file: 'fortran_order' is neither True nor False (byte 44)");
  CHECK(why_not_header("{'descr': '<f4") ==
        "the.file: a quote of the header is never closed (byte 20)");
  CHECK(why_not_header(npy_header("<f4", "(6,)") + "x") ==
        "the.file: text follows the header (byte 71)");
  std::string many = "(6,";
  for (int i = 1; i < 64; ++i) many += "1,";
  CHECK(why_not_header(npy_header("<f4", many + ")")) == "");
  CHECK(why_not_header(npy_header("<f4", many + "1)")) ==
        "the.file: the shape has too many dimensions (byte 189)");
}

TEST_CASE("what follows the values of an npy file would be lost, and is refused") {
  CHECK(why_not_npy(npy(npy_header("<f4", "(5,)"), kSix)) ==
        "the.file: (5) of float32 take 20 bytes, 24 follow the header at byte 71");
}
