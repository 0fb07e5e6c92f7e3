#include "runner/data/arrays/zip.h"

#include "runner/data/packed/inflate.h"
#include "tests/data/arrays/files.h"

using namespace knead;
using namespace knead::tests;

namespace {

/// All that an archive holds, as "name=content;".
std::string read_npz(const std::string& bytes) {
  files::Budget budget("the.file");
  data::NpzArchive archive({nullptr, bytes}, "the.file", budget);
  std::string out;
  for (const files::ZipEntry& entry : archive.entries())
    out += entry.name + "=" + std::string(archive.read(entry).view) + ";";
  return out;
}

std::string why_not_npz(const std::string& bytes) {
  return refusal([&] { read_npz(bytes); });
}

}  // namespace

TEST_CASE("stored and deflated files of an archive are read, with and without zip64") {
  for (const bool deflate : {false, true}) {
    for (const bool with_zip64 : {false, true}) {
      CAPTURE(deflate, with_zip64);
      CHECK(read_npz(zip({{"a.npy", "hello", deflate, with_zip64},
                          {"b", "", deflate, with_zip64}})) == "a.npy=hello;b=;");
    }
  }
}

TEST_CASE("an archive that is cut short anywhere is refused with its name") {
  check_truncation(zip({{"a.npy", "hello hello hello", true, true}, {"b", "stored"}}), read_npz);
}

TEST_CASE("a damaged byte anywhere is refused, or changes nothing that is read") {
  const std::string good = zip({{"a", "hello hello hello", true}, {"b", "stored"}});
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int bit : {1, 64, 128}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ bit);
      std::string out;
      const std::string message = refusal([&] { out = read_npz(bad); });
      CAPTURE(at, bit, out, message);
      refused += message.empty() ? 0 : 1;
      const bool same_content = out.find("=hello hello hello;") != out.npos;
      CHECK((!message.empty() || same_content));
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("sizes that lie, bombs and wrong checksums are refused with file, entry and byte") {
  const std::string zeros(100000, '\0');
  CHECK(why_not_npz(zip({{"a", zeros, true, true, 1ULL << 60}})) ==
        "the.file: 'a': 114 compressed bytes cannot hold 1152921504606846976");
  CHECK(why_not_npz(zip({{"a", zeros, true, false, 99999}})) ==
        "the.file: 'a': unpacks to more bytes, 99999 were announced");
  CHECK(why_not_npz(zip({{"a", zeros, true, false, 100001}})) ==
        "the.file: 'a': unpacks to 100000 bytes, 100001 were announced");
  CHECK(why_not_npz(zip({{"a", "hello", false, false, 6}})) ==
        "the.file: 'a' is stored, with two sizes (byte 0)");
  CHECK(why_not_npz(zip({{"a", "hello", false, false, 0, 1}})) ==
        "the.file: 'a' is damaged, its checksum is wrong (byte 31)");
  CHECK(why_not_npz(zip({{"a", "x"}, {"a", "y"}})) == "the.file: 'a' is there twice (byte 111)");
  CHECK(why_not_npz("hello") == "the.file: no npz archive, it is too short (byte 0)");
  CHECK(why_not_npz(std::string(100, 'x')) ==
        "the.file: no npz archive, or cut short: its directory is missing (byte 100)");
}

TEST_CASE("a directory that lies is refused with the byte") {
  const std::string good = zip({{"a", "hello"}, {"b", "world"}});
  const std::size_t directory = good.find("PK\1\2");
  const std::size_t end = good.find("PK\5\6");
  const auto with = [&](std::size_t at, const std::string& bytes) {
    return why_not_npz(std::string(good).replace(at, bytes.size(), bytes));
  };
  CHECK(with(end + 4, "\1") == "the.file: the archive is split over several files (byte 166)");
  CHECK(with(end + 10, "\3") ==
        "the.file: a directory of 94 bytes cannot have 3 entries (byte 72)");
  CHECK(with(end + 12, "\xff") == "the.file: the directory reaches beyond its end (byte 72)");
  CHECK(with(directory, "PK\1\3") == "the.file: an entry of the directory is missing (byte 72)");
  CHECK(with(directory + 8, "\1") == "the.file: 'a' is encrypted (byte 80)");
  CHECK(with(directory + 10, "\14") ==
        "the.file: 'a' is packed by method 12, neither stored nor deflated (byte 82)");
  CHECK(with(0, "PK\3\5") == "the.file: 'a' is not where the directory says (byte 0)");
  CHECK(with(30, "x") == "the.file: 'a' is not where the directory says (byte 0)");
}

TEST_CASE("gzip is unpacked piece by piece, also where several files follow one another") {
  const std::string packed = deflated("hello ", true) + deflated("world", true);
  data::Inflater inflater(packed, data::Inflater::Wrapping::gzip, "the.file", 0);
  std::string out(20, '\0');
  std::size_t done = 0;
  for (std::size_t read = 1; read > 0; done += read) read = inflater.read({out.data() + done, 3});
  CHECK(out.substr(0, done) == "hello world");
  const auto unpack = [](const std::string& bytes) {
    data::inflate_all(bytes, data::Inflater::Wrapping::gzip, 5, "the.file", 0);
  };
  check_truncation(deflated("hello", true), unpack);
  const std::string whole = deflated("hello", true);
  CHECK_NOTHROW(unpack(whole + std::string(3, '\0')));  // as on a tape
  CHECK(refusal([&] { unpack(whole + std::string(2, '\0') + "more"); }) ==
        "the.file: what follows at byte 27 is no gzip");
}

TEST_CASE("an archive unpacks to 256 MiB, and 64 times its bytes besides, all members together") {
  const std::string zeros(200 << 20, '\0');
  const std::string bytes = zip({{"a", zeros, true}, {"b", zeros, true}});
  files::Budget budget("the.file");
  data::NpzArchive archive({nullptr, bytes}, "the.file", budget);
  CHECK(archive.read(archive.entries()[0]).view.size() == zeros.size());
  CHECK(refusal([&] { archive.read(archive.entries()[1]); }) ==
        fmt::format("the.file: {} bytes unpack to {} with 'b'", bytes.size(), 2 * zeros.size()));
}
