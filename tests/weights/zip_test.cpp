#include "runner/weights/zip.h"

#include <catch2/catch.hpp>

#include "tests/folder.h"
#include "tests/weights/all_of.h"

using namespace knead;
using namespace knead::tests;

namespace {

std::vector<weights::ZipEntry> read_zip(const std::filesystem::path& path) {
  files::Budget budget(path.string());
  return weights::read_zip(files::OpenFile(path), budget);
}

std::string zip_bytes(const files::Content& content) {
  std::string bytes;
  content([&](std::span<const std::byte> piece) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return bytes;
}

weights::ZipMember member(const std::string& name, const std::string& text) {
  weights::RunningCrc crc;
  crc.add(std::as_bytes(std::span(text)));
  return {name, files::text_content(text), text.size(), crc.value()};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string zip_refusal(const std::string& bytes) {
  const Folder folder;
  write_text(folder / "a.zip", bytes);
  return refusal(folder.path(), [&] { read_zip(folder / "a.zip"); });
}

}  // namespace

TEST_CASE("what is zipped is found again, aligned") {
  const std::string first = "hello";
  const std::string second(1000, 'x');
  const std::string bytes =
      zip_bytes(weights::zip({member("a", first), member("b/c", second)}, 64));
  const Folder folder;
  write_text(folder / "a.zip", bytes);
  const auto entries = read_zip(folder / "a.zip");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "a");
  CHECK(bytes.substr(entries[0].begin, entries[0].size) == first);
  CHECK(bytes.substr(entries[1].begin, entries[1].size) == second);
  CHECK(entries[0].begin % 64 == 0);
  CHECK(entries[1].begin % 64 == 0);
  CHECK(entries[1].crc == member("", second).crc);
  CHECK(entries[1].method == 0);
}

TEST_CASE("a zip archive that lies is refused") {
  const std::string text = "hello";
  const std::string bytes = zip_bytes(weights::zip({member("a", text), member("b", text)}, 8));
  const std::string remedy = "\nit may be cut short or damaged: fetch or write it again";
  CHECK(zip_refusal("") ==
        "a.zip is no zip archive: it has no directory at its end: it is cut short" + remedy);
  CHECK(zip_refusal(replaced(bytes, "PK\1\2", "PK\1\3")) ==
        "a.zip is no zip archive: its directory is damaged" + remedy);
  CHECK(zip_refusal(replaced(bytes, "PK\6\6", "PK\6\1")) ==
        "a.zip is no zip archive: its zip64 directory is not where it should be" + remedy);
  CHECK(zip_refusal(replaced(bytes, "PK\3\4", "PK\3\5")) ==
        "a.zip is no zip archive: its member 'a' is not where its directory says" + remedy);
  CHECK(zip_refusal(
            replaced(bytes, std::string("PK\5\6\0\0\0\0", 8), std::string("PK\5\6\1\0\0\0", 8))) ==
        "a.zip is no zip archive: it is split over several files" + remedy);
  CHECK(zip_refusal(bytes + "x") ==
        "a.zip is no zip archive: it has no directory at its end: it is cut short" + remedy);
  const std::string twice = zip_bytes(weights::zip({member("a", text), member("a", text)}, 8));
  CHECK(zip_refusal(twice) == "a.zip is no zip archive: it has the member 'a' twice" + remedy);
}
