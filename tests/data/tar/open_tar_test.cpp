#include "runner/data/tar/open_tar.h"

#include <cstdlib>
#include <cstring>

#include "runner/data/sets/data_files.h"
#include "runner/files/read.h"
#include "tests/data/arrays/bytes.h"
#include "tests/data/arrays/files.h"
#include "tests/data/tar/packed.h"
#include "tests/data/tar/tar_bytes.h"

using namespace knead;
using namespace knead::tests;

namespace {

const std::string kPng = files::read_text(KNEAD_ROOT "/tests/fixtures/images/colour.png");

recipe::TarField from(std::vector<std::string> extensions) {
  recipe::TarField field;
  field.extension = std::move(extensions);
  field.channels = 3;
  field.scale = 1;
  field.offset = 0;
  return field;
}

recipe::Tar set_of(const std::filesystem::path& path,
                   std::vector<std::pair<std::string, recipe::TarField>> fields) {
  recipe::Tar tar;
  tar.path = {path};
  tar.fields = std::move(fields);
  return tar;
}

template <class Number>
std::vector<Number> values(const data::Source& source, std::size_t field) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < source.rows(); ++row) rows.push_back(row);
  std::vector<std::byte> bytes(rows.size() * source.fields()[field].bytes_per_sample());
  source.read(field, {rows}, bytes.data());
  std::vector<Number> out(bytes.size() / sizeof(Number));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

using Whole = std::vector<std::int64_t>;

/// What is said of an archive with one field, behind its name: when it is opened, or read.
std::string refusal(const std::vector<TarFile>& files, const recipe::TarField& field) {
  const Folder folder;
  const auto path = folder.write("a.tar", tar(files));
  try {
    const auto source = data::open_tar(set_of(path, {{"x", field}}));
    values<char>(*source, 0);
  } catch (const Error& error) {
    const std::string what = error.what();
    REQUIRE(what.starts_with(path.string() + ": "));
    return what.substr(path.string().size() + 2);
  }
  return "";
}

}  // namespace

TEST_CASE("files of one name are a sample, and extensions are its fields") {
  const Folder folder;
  const auto path = folder.write(
      "a.tar", tar({{"README.md", "# what this is"},
                    {"./b/1.PNG", kPng},
                    {"./b/1.cls", "7\n"},
                    {"./b/1.json", R"({"box": [1, 2, 3.5], "kind": {"name": "cat"}, "n": 9})"},
                    {"./b/2.cls", " 8 "},
                    {"./b/2.seg.png", "another field's"},
                    {"./b/2.png", kPng},
                    {"./b/2.json", R"({"box": [4, 5, 6], "kind": {"name": "dog"}, "n": true})"},
                    {"__info__", ""},
                    {".hidden.png", ""}}));
  recipe::TarField box = from({"json"});
  box.key = "box";
  recipe::TarField kind = from({"json"});
  kind.key = "kind.name";
  kind.categories = {{"dog", "cat"}};
  recipe::TarField small = from({"jpg", "png"});
  small.size = {{2, 3}};
  small.channels = 1;
  const auto source = data::open_tar(
      set_of(path, {{"image", small}, {"label", from({"cls"})}, {"box", box}, {"kind", kind}}));
  CHECK(source->rows() == 2);
  CHECK(source->fields()[0].shape == Whole{1, 2, 3});
  CHECK(source->fields()[2].shape == Whole{3});
  const auto image = values<float>(*source, 0);
  CHECK(std::vector(image.begin(), image.begin() + 6) ==
        std::vector(image.begin() + 6, image.end()));
  CHECK(values<std::int64_t>(*source, 1) == Whole{7, 8});
  CHECK(values<float>(*source, 2) == std::vector<float>{1, 2, 3.5, 4, 5, 6});
  CHECK(values<std::int64_t>(*source, 3) == Whole{1, 0});
}

TEST_CASE("several archives are one behind the other, and samples do not cross them") {
  const Folder folder;
  folder.write("s-1.tar", tar({{"b.cls", "3"}}));
  folder.write("s-0.tar", tar({{"a.cls", "1"}, {"b.cls", "2"}}));
  recipe::Tar set = set_of(folder.path() / "s-*.tar", {{"x", from({"cls"})}});
  CHECK(values<std::int64_t>(*data::open_tar(set), 0) == Whole{1, 2, 3});
}

TEST_CASE("arrays are samples of their own, scaled and converted") {
  const Folder folder;
  const auto array = [](const std::string& numbers) {
    return npy(npy_header("|u1", "(2, 2)"), numbers);
  };
  recipe::TarField field = from({"npy"});
  field.scale = 0.5;
  const auto source = data::open_tar(set_of(
      folder.write("a.tar", tar({{"a.npy", array("\1\2\3\4")}, {"b.npy", array("\5\6\7\x8")}})),
      {{"x", field}}));
  CHECK(source->fields()[0].shape == Whole{2, 2});
  CHECK(values<float>(*source, 0) == std::vector<float>{0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4});
}

TEST_CASE("what is wrong with an archive of samples is said with the file and the byte") {
  const recipe::TarField cls = from({"cls"});
  CHECK(refusal({{"a.txt", "1"}}, cls) == "no sample, no file is named NAME.cls");
  CHECK(refusal({{"a.cls", "1"}, {"a.CLS", "2"}}, cls) ==
        "'a.cls' is a second file for a field of one sample (byte 1536)");
  CHECK(refusal({{"a.cls", "1"}, {"b.cls", "two"}}, cls) ==
        "'b.cls' is no number: 'two'; the file begins at byte 1536 of the archive");
  CHECK(refusal({{"a.cls", "1"}, {"b.cls", "2.5"}}, cls) ==
        "'b.cls': 2.5 does not fit int64; the file begins at byte 1536 of the archive");
  recipe::TarField json = from({"json"});
  CHECK(refusal({{"a.json", "[1, 2]"}, {"b.json", "[1]"}}, json) ==
        "'b.json' has 1 numbers, the field 'x' is (2); the file begins at byte 1536 of the "
        "archive");
  CHECK(refusal({{"a.json", "[1, 2]"}, {"b.json", "[1, 2"}}, json)
            .starts_with("'b.json': no JSON: "));
  CHECK(refusal({{"a.json", "\"a\""}}, json) ==
        "'a.json' is no number: \"a\"; the file begins at byte 512 of the archive");
  json.key = "n";
  CHECK(refusal({{"a.json", "{}"}}, json) ==
        "'a.json': there is no 'n'; the file begins at byte 512 of the archive");
  CHECK(refusal({{"a.json", "{\"n\": 1, \"n\": 2}"}}, json) ==
        "'a.json': an object has the key 'n' twice; the file begins at byte 512 of the archive");
  CHECK(refusal({{"a.json", "{\"n\": 1e39}"}}, json) ==
        "'a.json': 1e+39 does not fit float32; the file begins at byte 512 of the archive");
  recipe::TarField image = from({"png"});
  CHECK(refusal({{"a.png", "not"}}, image) ==
        "'a.png' is neither a JPEG nor a PNG file; the file begins at byte 512 of the archive");
  CHECK(refusal({{"a.png", kPng}, {"b.png", kPng.substr(0, kPng.size() / 2)}}, image)
            .starts_with("'b.png' cannot be decoded: "));
  const auto array = [](const char* shape, const std::string& numbers) {
    return npy(npy_header("<i2", shape), numbers);
  };
  recipe::TarField npy_field = from({"npy"});
  npy_field.dtype = recipe::TarField::Dtype::uint8;
  CHECK(refusal({{"a.npy", array("(2,)", little(1, 2) + little(2, 2))},
                 {"b.npy", array("(1,)", little(1, 2))}},
                npy_field)
            .starts_with("'b.npy' is (1), the field 'x' is (2)"));
  CHECK(refusal({{"a.npy", array("()", little(300, 2))}}, npy_field)
            .starts_with("'a.npy': 300 does not fit uint8"));
}

TEST_CASE("lists of a JSON file are not ragged, and those of a set are nested alike") {
  recipe::TarField json = from({"json"});
  CHECK(refusal({{"a.json", "[[1, 2], [3, 4]]"}, {"b.json", "[1, 2, 3, 4]"}}, json) ==
        "'b.json' is (4), the field 'x' is (2, 2); the file begins at byte 1536 of the archive");
  CHECK(refusal({{"a.json", "[1, [2]]"}}, json) ==
        "'a.json' has a ragged list, the field 'x' is (2); the file begins at byte 512 of the "
        "archive");
  json.shape = {{2, 2}};
  CHECK(refusal({{"a.json", "[[1, 2], [3, 4]]"}, {"b.json", "[1, 2, 3, 4]"}}, json).empty());
  for (const char* ragged : {"[[1, 2, 3], [4]]", "[[1, 2], 3, 4]", "[1, 2, [3, 4]]"}) {
    CAPTURE(ragged);
    CHECK(refusal({{"a.json", ragged}}, json) ==
          "'a.json' has a ragged list, the field 'x' is (2, 2); the file begins at byte 512 of the "
          "archive");
  }
}

TEST_CASE("a sample has all of its fields") {
  const Folder folder;
  const auto path = folder.write(
      "a.tar", tar({{"a.cls", "1"}, {"a.png", kPng}, {"b.cls", "1"}, {"c.png", kPng}}));
  try {
    data::open_tar(set_of(path, {{"image", from({"jpg", "png"})}, {"label", from({"cls"})}}));
    FAIL("it is opened");
  } catch (const Error& error) {
    CHECK(std::string(error.what())
              .starts_with(path.string() +
                           ": sample 'b' has no file .jpg or .png for the field 'image' (byte "));
    CHECK(error.remedy() ==
          "the files of a sample stand one behind the other: tar --sort=name writes them so");
  }
}

TEST_CASE("packed archives are read as the plain ones, also beside them") {
  const Folder folder;
  ::setenv("KNEAD_HOME", (folder.path() / "home").c_str(), 1);
  const std::string bytes[] = {tar({{"a.cls", "1"}, {"b.cls", "2"}}), tar({{"c.cls", "3"}}),
                               tar({{"BZh/d.cls", "4"}})};
  for (const int plain : {0, 1}) {
    const std::string at = plain ? "plain/" : "packed/";
    folder.write(at + (plain ? "s-0.tar" : "s-0.tar.gz"), plain ? bytes[0] : gzipped(bytes[0]));
    folder.write(at + (plain ? "s-1.tar" : "s-1.tar.zst"),
                 plain ? bytes[1] : zstd_packed(bytes[1]));
    folder.write(at + "s-2.tar", bytes[2]);
  }
  const recipe::Tar packed = set_of(folder.path() / "packed/s-*", {{"x", from({"cls"})}});
  const recipe::Tar plain = set_of(folder.path() / "plain/s-*", {{"x", from({"cls"})}});
  CHECK(values<std::int64_t>(*data::open_tar(packed), 0) == Whole{1, 2, 3, 4});
  CHECK(data::data_digest(packed) == data::data_digest(plain));
}

TEST_CASE("what is wrong with a packed archive is said with its name and that it is unpacked") {
  const Folder folder;
  ::setenv("KNEAD_HOME", (folder.path() / "home").c_str(), 1);
  const auto said = [&](const std::string& name, const std::string& bytes) {
    const auto path = folder.write(name, bytes);
    try {
      values<std::int64_t>(*data::open_tar(set_of(path, {{"x", from({"cls"})}})), 0);
    } catch (const Error& error) {
      const std::string what = error.what();
      REQUIRE(what.starts_with(path.string()));
      return what.substr(path.string().size()) + " = " + error.remedy();
    }
    return std::string();
  };
  CHECK(said("a.tar.gz", gzipped(tar({{"a.cls", "1"}, {"b.cls", "two"}}))) ==
        ", unpacked: 'b.cls' is no number: 'two'; the file begins at byte 1536 of the archive = "
        "categories say which words stand for numbers, as in categories: [red, green]");
  CHECK(said("a.tar.gz", gzipped(tar({{"a.cls", "1"}}).substr(0, 1024))) ==
        ", unpacked: the archive is cut short: its end is missing (byte 1024) = the file is "
        "damaged: fetch it again, or write it again");
  CHECK(said("a.tar.bz2", "BZh91AY&SY") ==
        " is packed in a way that is not read = unpack it once, bunzip2 FILE, or pack it by gzip "
        "or zstd");
  CHECK(said("a.tar.xz", std::string("\xfd"
                                     "7zXZ\0",
                                     6))
            .find("unxz FILE") != std::string::npos);
  CHECK(said("a.tar.lz4", "\x04\x22\x4d\x18").find("unlz4 FILE") != std::string::npos);
}
