#include "runner/report/growing_lines.h"

#include <fstream>

#include <catch2/catch.hpp>

#include "tests/folder.h"

using namespace knead;

namespace {

void append(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

/// Follows a file and holds all of its lines.
struct Reader {
  explicit Reader(const tests::Folder& folder) : files(folder.path()), lines(files, folder / "j") {}

  std::string read() {
    lines.read_on([&](std::string_view line) { text += std::string(line) + "|"; },
                  [&] { text.clear(); });
    return text;
  }

  report::ContainedFiles files;
  report::GrowingLines lines;
  std::string text;
};

}  // namespace

TEST_CASE("lines are read once they are whole") {
  const tests::Folder folder;
  Reader reader(folder);
  CHECK(reader.read().empty());  // there is no file yet
  append(folder / "j", "one\ntw");
  CHECK(reader.read() == "one|");
  append(folder / "j", "o\n\nthree\n");
  CHECK(reader.read() == "one|two||three|");
  CHECK(reader.read() == "one|two||three|");
}

TEST_CASE("a file that a resume has cut back is read again") {
  const tests::Folder folder;
  Reader reader(folder);
  append(folder / "j", "one\ntwo\nthree\n");
  reader.read();
  tests::write_text(folder / "j", "one\ntwo\n");
  CHECK(reader.read() == "one|two|");
  // Cut back, and longer than before when it is looked at again.
  tests::write_text(folder / "j", "one\nother\nthree\nfour\n");
  CHECK(reader.read() == "one|other|three|four|");
  std::filesystem::remove(folder / "j");
  CHECK(reader.read().empty());
}

TEST_CASE("a line that is too long is left out in bounded memory") {
  const tests::Folder folder;
  Reader reader(folder);
  append(folder / "j", "one\n");
  std::filesystem::resize_file(folder / "j", std::uint64_t{1} << 30);  // a hole: NULs
  append(folder / "j", "\ntwo\n");
  CHECK(reader.read() == "one|two|");
  CHECK(reader.lines.too_long() == 1);
}

TEST_CASE("a line of several pieces is put together") {
  const tests::Folder folder;
  Reader reader(folder);
  const std::string line(report::GrowingLines::kLongestLine, 'x');
  std::string text;
  for (int i = 0; i < 9; ++i) text += line + "\n";
  append(folder / "j", text + "y\n");
  std::string wanted;
  for (int i = 0; i < 9; ++i) wanted += line + "|";
  CHECK(reader.read() == wanted + "y|");
  append(folder / "j", line + "x\n");
  CHECK(reader.read() == wanted + "y|");
  CHECK(reader.lines.too_long() == 1);
}
