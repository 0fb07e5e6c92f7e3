#include "runner/files/open_file.h"

#include <sys/stat.h>

#include <thread>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/files/folders.h"
#include "runner/files/known_file.h"
#include "runner/files/mapped_file.h"
#include "runner/files/posix_files.h"
#include "runner/files/read.h"
#include "schema/document/regular_file.h"
#include "tests/folder.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

/// Message and remedy.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return std::string(error.what()) + " = " + error.remedy();
  }
  return "";
}

}  // namespace

TEST_CASE("a file is read at any place") {
  const Folder folder;
  const files::OpenFile file(folder.write("a", "0123456789"));
  CHECK(file.read(3, 4) == "3456");
  CHECK(file.beginning(4) == "0123");
  CHECK(file.beginning(40) == "0123456789");
  CHECK(refusal([&] { file.read(8, 4); }) ==
        file.path().string() +
            " ends at byte 10; it had 10 when it was opened = leave the files of a run as they are "
            "until it has ended");
}

TEST_CASE("what is no file is said, and a pipe holds nobody up") {
  const Folder folder;
  const fs::path pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string of_a_pipe =
      pipe.string() +
      " is no file on a disk, which could be read at any place = write what it gives to a file";
  CHECK(refusal([&] { files::OpenFile file(pipe); }) == of_a_pipe);
  CHECK(refusal([&] { files::map_file(pipe); }) == of_a_pipe);
  const std::string of_a_folder = folder.path().string() + " is a folder = name a file";
  CHECK(refusal([&] { files::OpenFile file(folder.path()); }) == of_a_folder);
  CHECK(refusal([&] { files::map_file(folder.path()); }) == of_a_folder);
  CHECK(refusal([&] { files::map_file(folder / "none"); })
            .starts_with("cannot read " + (folder / "none").string() +
                         ": No such file or directory = "));
}

TEST_CASE("the stamp of a file tells that it was written to, whatever time is set") {
  const Folder folder;
  const fs::path path = folder.write("a", "one");
  const files::OpenFile file(path);
  CHECK(file.is_young());
  const std::string before = file.stamp();
  CHECK(files::OpenFile(path).stamp() == before);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a tick of the clock of files
  const auto time = fs::last_write_time(path);
  write_text(path, "two");
  fs::last_write_time(path, time);
  CHECK(file.stamp() != before);
}

TEST_CASE("a known file is known again by its bytes, and by its stamp once it is old enough") {
  const Folder folder;
  const fs::path path = folder.write("a", std::string(3'000'000, 'x'));
  const files::OpenFile file(path);
  files::KnowingReader reader(file);
  std::size_t pieces = 0;
  while (!reader.next().empty()) ++pieces;
  CHECK(pieces == 3);
  files::KnownFile known = reader.known();
  CHECK(known.size == 3'000'000);
  CHECK(known.digest == files::digest(std::string(3'000'000, 'x')));
  CHECK(known.stamp == "");  // it is young
  int readings = 0;
  const auto count = [&] { ++readings; };
  CHECK(files::is_still(file, known, count));
  CHECK(readings == 1);
  known.stamp = file.stamp();
  known = files::known_file_in(files::to_json(known));
  CHECK(files::is_still(file, known, count));
  CHECK(readings == 1);
  write_text(path, std::string(2'999'999, 'x') + "y");
  const files::KnownFile before = known;
  CHECK_FALSE(files::is_still(files::OpenFile(path), known, count));
  CHECK(known.stamp == before.stamp);  // a new one would make the other content the known one
  CHECK(known.digest == before.digest);
  write_text(path, "x");
  CHECK_FALSE(files::is_still(files::OpenFile(path), known, count));
  CHECK(readings <= 2);  // the size tells
}

TEST_CASE("a file that is written to while it is read is not known") {
  const Folder folder;
  const fs::path path = folder.write("a", "one");
  const files::OpenFile file(path);
  files::KnowingReader reader(file);
  CHECK(reader.next().size() == 3);
  write_text(path, "other");
  CHECK(refusal([&] {
          reader.known();
        }).starts_with(path.string() + " was changed while it was read = "));
}

TEST_CASE("several make the same folders at once") {
  for (int round = 0; round < 50; ++round) {
    const Folder folder;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        files::PosixFiles disk;
        files::make_folders(disk, folder / "a/b/c");
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(fs::is_directory(folder / "a/b/c"));
  }
  const Folder folder;
  fs::create_symlink("nowhere", folder / "link");
  files::PosixFiles disk;
  CHECK(refusal([&] {
          files::make_folders(disk, folder / "link/a");
        }).starts_with("cannot make the folder " + (folder / "link/a").string()));
}

TEST_CASE("a file of holes is read in pieces, and not kept in memory") {
  const Folder folder;
  const fs::path holes = folder.write("holes", "some bytes");
  fs::resize_file(holes, 3'000'000'000);
  CHECK(files::OpenFile(holes).beginning(4) == "some");
  const std::string said =
      holes.string() +
      " says that it has 3.0 GB, of which 4.1 kB are on the disk: it consists of holes = it was "
      "never written to its end: fetch or write it again";
  CHECK(refusal([&] { files::read_text(holes); }) == said);
  CHECK(refusal([&] { files::map_file(holes); }) == said);
  // Small holes do no harm.
  fs::resize_file(holes, 1000);
  CHECK(files::read_text(holes) == "some bytes" + std::string(990, '\0'));
}

TEST_CASE("links that lead nowhere and names that are too long are said") {
  const Folder folder;
  fs::create_symlink("loop", folder / "loop");
  CHECK(refusal([&] { files::read_text(folder / "loop"); })
            .starts_with("cannot read " + (folder / "loop").string() +
                         ": Too many levels of symbolic links"));
  const std::string name(300, 'n');
  CHECK(refusal([&] {
          files::read_text(folder / name);
        }).starts_with("cannot read " + (folder / name).string() + ": File name too long"));
  CHECK_FALSE(schema::is_there(folder / "loop"));
  CHECK_FALSE(schema::is_there(folder / name));
  CHECK_FALSE(files::read_text_if_possible(folder / name));
}

}  // namespace knead::tests
