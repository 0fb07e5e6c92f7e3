#include "runner/files/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include <catch2/catch.hpp>

#include "runner/files/folders.h"
#include "runner/files/posix_files.h"
#include "tests/files/faulty_files.h"
#include "tests/folder.h"
#include "tests/files/simulated_files.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

/// The errno of what a call throws; 0 if it throws nothing.
template <class Do>
int number_of(Do act) {
  try {
    act();
    return 0;
  } catch (const files::FileError& error) {
    return error.number();
  }
}

}  // namespace

TEST_CASE("the real disk and the one in memory agree") {
  const Folder folder;
  fs::current_path(folder.path());
  files::PosixFiles real;
  SimulatedFiles simulated;
  for (files::FileSystem* files : std::initializer_list<files::FileSystem*>{&real, &simulated}) {
    files::make_folders(*files, "a/b");
    CHECK(number_of([&] { files->make_folder("a"); }) == EEXIST);
    CHECK(number_of([&] { files->make_folder("x/y"); }) == ENOENT);
    const files::FileFacts facts = files::write_new(*files, "a/f", files::text_content("hello"));
    CHECK(facts == files::FileFacts{5, files::digest("hello")});
    CHECK(files::read_facts(*files, "a/f") == facts);
    CHECK(files::read_small(*files, "a/f", 5) == "hello");
    CHECK_THROWS_WITH(files::read_small(*files, "a/f", 4), "a/f has 5 bytes, more than 4");
    CHECK(number_of([&] { files->create("a/f"); }) == EEXIST);
    CHECK(number_of([&] { files->create("x/f"); }) == ENOENT);
    CHECK(number_of([&] { files->open("a/g"); }) == ENOENT);
    CHECK(number_of([&] { files::read_facts(*files, "a/b"); }) == EISDIR);
    CHECK(number_of([&] { files->rename_new("a/f", "a/b"); }) == EEXIST);
    CHECK(number_of([&] { files->rename_new("a/g", "a/h"); }) == ENOENT);
    CHECK(number_of([&] { files->remove_folder("a"); }) == ENOTEMPTY);
    CHECK(number_of([&] { files->remove_file("a/g"); }) == ENOENT);
    CHECK(number_of([&] { files->remove_file("a/b"); }) == EISDIR);
    CHECK(number_of([&] { files->list("x"); }) == ENOENT);
    CHECK(number_of([&] { files->list("a/f"); }) == ENOTDIR);
    CHECK(number_of([&] { files->sync_folder("x"); }) == ENOENT);
    files->rename_new("a/f", "a/g");
    files::sync_folder(*files, "a");
    const auto entries = files::list_sorted(*files, "a");
    REQUIRE(entries.size() == 2);
    CHECK((entries[0].name == "b" && entries[0].is_folder));
    CHECK((entries[1].name == "g" && !entries[1].is_folder));
    CHECK(files::list_sorted(*files, "x").empty());
    CHECK(files->space("a").free > 0);
    CHECK(number_of([&] { files::remove_flat_folder(*files, "a"); }) == EISDIR);
    files->remove_folder("a/b");
    files::remove_flat_folder(*files, "a");
    CHECK(number_of([&] { files->list("a"); }) == ENOENT);
  }
}

TEST_CASE("links are not followed, and pipes do not hold anybody up") {
  const Folder folder;
  fs::current_path(folder.path());
  files::PosixFiles files;
  files::write_new(files, "target", files::text_content("1"));
  fs::create_symlink("target", "link");
  fs::create_symlink("nowhere", "dangling");
  REQUIRE(::mkfifo("pipe", 0600) == 0);
  CHECK(number_of([&] { files.open("link"); }) == ELOOP);
  CHECK(number_of([&] { files.create("link"); }) == EEXIST);
  CHECK(number_of([&] { files.create("dangling"); }) == EEXIST);
  CHECK(number_of([&] { files.rename_new("target", "dangling"); }) == EEXIST);
  CHECK(files::read_facts(files, "pipe").size == 0);
  fs::create_directory_symlink(".", "loop");
  for (const files::Entry& entry : files.list(".")) CHECK_FALSE(entry.is_folder);
}

TEST_CASE("descriptors are not inherited") {
  const Folder folder;
  files::PosixFiles files;
  const int written = files.create(folder.path() / "f");
  const int read = files.open(folder.path() / "f");
  for (const int file : {written, read}) {
    CHECK((::fcntl(file, F_GETFD) & FD_CLOEXEC) != 0);
    files.close(file);
  }
}

TEST_CASE("a space has a place") {
  files::PosixFiles files;
  const Folder folder;
  const files::Space space = files.space(folder.path());
  CHECK(space.free > 0);
  CHECK(folder.path().string().starts_with(space.mounted_at.string()));
  CHECK(files.space("/proc").mounted_at == "/proc");
}

TEST_CASE("files that are published are there whole, the old or the new") {
  SimulatedFiles under;
  files::publish(under, "f", "the old one");
  const Disk before = under.disk.rest();
  for (const Fault::Kind kind :
       {Fault::Kind::die_before, Fault::Kind::die_after, Fault::Kind::fail}) {
    for (int at = 1;; ++at) {
      SimulatedFiles disk(before);
      FaultyFiles files(disk, [&](int n, Call, const fs::path&) {
        return n == at ? Fault{kind, EIO} : Fault{};
      });
      bool done = false;
      try {
        files::publish(files, "f", "the new one");
        done = true;
      } catch (const Killed&) {
      } catch (const files::FileError&) {
        // The name is there already when the folder is synced.
        if (disk.disk.tree().size() != 1) FAIL("something is left behind at call " << at);
      }
      for_each_power_cut(disk.disk, 100, [&](const Disk& left) {
        const std::string text = Disk(left).data("f");
        if (text != "the new one" && (text != "the old one" || done)) FAIL("call " << at);
      });
      if (files.calls() < at) break;
    }
  }
}

TEST_CASE("what does not read back as it was written is not published") {
  SimulatedFiles under;
  files::publish(under, "f", "old");
  FaultyFiles files(under, [&](int, Call call, const fs::path& path) {
    if (call == Call::open) under.disk.data(path)[0] ^= 1;
    return Fault{};
  });
  CHECK_THROWS_WITH(files::publish(files, "f", "new"), "f does not read back as it was written");
  CHECK(under.disk.tree() == std::map<std::string, std::string>{{"f", "old"}});
}

}  // namespace knead::tests
