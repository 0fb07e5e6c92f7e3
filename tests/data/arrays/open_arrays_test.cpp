#include "runner/data/arrays/open_arrays.h"

#include <cstring>

#include "tests/data/arrays/files.h"

using namespace knead;
using namespace knead::tests;
using data::Dtype;
using data::Source;

namespace {

const std::string kPixels = npy(npy_header("|u1", "(3, 2)"), std::string("\0\1\2\3\4\5", 6));
const std::string kDigits =
    npy(npy_header("<i4", "(3,)"), little(7, 4) + little(8, 4) + little(9, 4));

recipe::ArrayKey key(std::optional<std::string> name) {
  recipe::ArrayKey out;
  out.key = std::move(name);
  out.scale = 1;
  out.offset = 0;
  return out;
}

recipe::ArrayFile file(const std::filesystem::path& path) {
  recipe::ArrayFile out;
  out.path = path;
  out.scale = 1;
  out.offset = 0;
  return out;
}

/// A field of all rows.
template <class T>
std::vector<T> all_samples(const Source& source, std::size_t field) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < source.rows(); ++row) rows.push_back(row);
  std::vector<T> out(rows.size() * source.fields()[field].bytes_per_sample() / sizeof(T));
  source.read(field, {rows}, reinterpret_cast<std::byte*>(out.data()));
  return out;
}

void check_pixels_and_digits(const Source& source) {
  REQUIRE(source.rows() == 3);
  CHECK(source.fields()[0].dtype == Dtype::int64);
  CHECK(source.fields()[0].shape == std::vector<std::int64_t>{2});
  CHECK(all_samples<std::int64_t>(source, 0) == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
  CHECK(all_samples<std::int64_t>(source, 1) == std::vector<std::int64_t>{7, 8, 9});
}

std::string idx(char type, const std::vector<std::uint32_t>& shape, const std::string& values) {
  std::string out = {0, 0, type, static_cast<char>(shape.size())};
  for (const std::uint32_t size : shape) out += big(size, 4);
  return out + values;
}

}  // namespace

TEST_CASE("npy, npz, idx and safetensors give the same samples") {
  const Folder folder;
  recipe::Npy npy;
  npy.fields = {{"pixels", file(folder.write("x.npy", kPixels))},
                {"digit", file(folder.write("y.npy", kDigits))}};
  check_pixels_and_digits(*data::open_npy(npy));

  for (const bool deflate : {false, true}) {
    recipe::Npz npz;
    npz.path = folder.write("xy.npz", zip({{"x.npy", kPixels, deflate}, {"digit.npy", kDigits}}));
    npz.fields = {{"pixels", key("x")}, {"digit", key(std::nullopt)}};
    check_pixels_and_digits(*data::open_npz(npz));
  }

  const std::string pixels = idx(8, {3, 2}, std::string("\0\1\2\3\4\5", 6));
  const std::string digits = idx(0x0C, {3}, big(7, 4) + big(8, 4) + big(9, 4));
  for (const bool packed : {false, true}) {
    recipe::Idx idx_set;
    idx_set.fields = {
        {"pixels", file(folder.write("x.idx", packed ? deflated(pixels, true) : pixels))},
        {"digit", file(folder.write("y.idx", packed ? deflated(digits, true) : digits))}};
    check_pixels_and_digits(*data::open_idx(idx_set));
  }

  const std::string header = R"({"x":{"dtype":"I32","shape":[3],"data_offsets":[0,12]},)"
                             R"("p":{"dtype":"U8","shape":[3,2],"data_offsets":[12,18]}} )";
  recipe::Safetensors tensors;
  tensors.path = folder.write("xy.safetensors", little(header.size(), 8) + header +
                                                    kDigits.substr(kDigits.size() - 12) +
                                                    std::string("\0\1\2\3\4\5", 6));
  tensors.fields = {{"pixels", key("p")}, {"digit", key("x")}};
  check_pixels_and_digits(*data::open_safetensors(tensors));
}

TEST_CASE("a field's type is one that a model can use, unless it is written") {
  const Folder folder;
  recipe::Npy npy;
  const auto type_of = [&](const std::string& stored, recipe::ArrayFile field) {
    const std::size_t bytes = stored.back() - '0';
    field.path =
        folder.write("x.npy", tests::npy(npy_header(stored, "(1,)"), std::string(bytes, 0)));
    npy.fields = {{"x", field}};
    return data::open_npy(npy)->fields()[0].dtype;
  };
  recipe::ArrayFile scaled = file("");
  scaled.scale = 0.5;
  recipe::ArrayFile written = file("");
  written.dtype = recipe::ArrayFile::Dtype::float64;
  CHECK(type_of("<f8", file("")) == Dtype::float32);
  CHECK(type_of("|u1", file("")) == Dtype::int64);
  CHECK(type_of("|b1", file("")) == Dtype::boolean);
  CHECK(type_of("|u1", scaled) == Dtype::float32);
  CHECK(type_of("|u1", written) == Dtype::float64);
}

TEST_CASE("a name that is in no archive is answered with the nearest one") {
  const Folder folder;
  recipe::Npz npz;
  npz.path = folder.write("xy.npz", zip({{"images.npy", kPixels}, {"labels.npy", kDigits}}));
  npz.fields = {{"digit", key("label")}};
  CHECK_THROWS_WITH(data::open_npz(npz), Catch::EndsWith("xy.npz has no array 'label'"));
  try {
    data::open_npz(npz);
  } catch (const Error& error) {
    CHECK(error.remedy() == "did you mean 'labels'?");
  }
}

TEST_CASE("a file that is not there is named") {
  recipe::Npy npy;
  npy.fields = {{"x", file("/nowhere/x.npy")}};
  CHECK_THROWS_WITH(data::open_npy(npy), "cannot read /nowhere/x.npy: No such file or directory");
}
