#include "runner/report/contained_files.h"

#include <sys/stat.h>

#include <cerrno>

#include <catch2/catch.hpp>

#include "runner/files/file.h"
#include "runner/files/folders.h"
#include "tests/folder.h"

using namespace knead;

namespace {

/// Returns the errno with which a file is refused; 0 if it was read.
int refusal(report::ContainedFiles& files, const std::filesystem::path& path) {
  try {
    files::read_small(files, path, 1000);
    return 0;
  } catch (const files::FileError& error) {
    return error.number();
  }
}

}  // namespace

TEST_CASE("a file below the folder is read, and nothing outside of it") {
  const tests::Folder folder;
  folder.write("secret", "outside");
  folder.write("run/inside/file", "text");
  const std::filesystem::path run = folder / "run";
  std::filesystem::create_symlink(folder / "secret", run / "link");
  std::filesystem::create_directory_symlink(folder.path(), run / "out");
  std::filesystem::create_directory_symlink(run / "inside", run / "within");
  report::ContainedFiles files(run);
  CHECK(files::read_small(files, run / "inside" / "file", 1000) == "text");
  CHECK(refusal(files, run / "link") == ELOOP);
  CHECK(refusal(files, run / "out" / "secret") == ENOTDIR);
  CHECK(refusal(files, run / "within" / "file") == ENOTDIR);
  CHECK(refusal(files, run / ".." / "secret") == EXDEV);
  CHECK(refusal(files, folder / "secret") == EXDEV);
  CHECK(refusal(files, run / "inside") == EISDIR);
  CHECK(refusal(files, run / "missing") == ENOENT);
  CHECK(files.has(run / "inside" / "file"));
  CHECK_FALSE(files.has(run / "link"));
  CHECK_FALSE(files.has(run / "out" / "secret"));
}

TEST_CASE("a folder that the user names by a link is read") {
  const tests::Folder folder;
  folder.write("run/file", "text");
  std::filesystem::create_directory_symlink(folder / "run", folder / "latest");
  report::ContainedFiles files(folder / "latest");
  CHECK(files::read_small(files, folder / "latest/file", 1000) == "text");
}

TEST_CASE("a pipe is refused at once") {
  const tests::Folder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  report::ContainedFiles files(folder.path());
  CHECK(refusal(files, folder / "pipe") == EINVAL);
}

TEST_CASE("a file above the limit is not opened whole") {
  const tests::Folder folder;
  folder.write("large", "");
  std::filesystem::resize_file(folder / "large", report::ContainedFiles::kMostBytes + 1);
  report::ContainedFiles files(folder.path());
  CHECK(refusal(files, folder / "large") == EFBIG);
  files.close(files.open_large(folder / "large"));
}

TEST_CASE("a link to a folder is listed as no folder") {
  const tests::Folder folder;
  folder.write("run/a", "");
  std::filesystem::create_directory_symlink(folder / "run", folder / "link");
  report::ContainedFiles files(folder.path());
  const auto entries = files::list_sorted(files, folder.path());
  REQUIRE(entries.size() == 2);
  CHECK((entries[0].name == "link" && !entries[0].is_folder));
  CHECK((entries[1].name == "run" && entries[1].is_folder));
}

TEST_CASE("nothing is written") {
  const tests::Folder folder;
  report::ContainedFiles files(folder.path());
  CHECK_THROWS_AS(files.create(folder / "new"), files::FileError);
  CHECK_THROWS_AS(files.remove_folder(folder.path()), files::FileError);
  CHECK(std::filesystem::is_empty(folder.path()));
}
