#include "runner/files/mapped_file.h"

#include <string>

#include <signal.h>
#include <unistd.h>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"
#include "tests/in_process.h"

using namespace knead;
using tests::End;
using tests::in_process;

namespace {

constexpr std::size_t kSize = 1 << 20;

}  // namespace

TEST_CASE("a mapped file that is shortened ends the process with a message that names it") {
  const tests::Folder folder;
  const auto other = folder / "other.csv";
  const auto path = folder / "data.csv";
  tests::write_text(other, std::string(kSize, 'b'));
  tests::write_text(path, std::string(kSize, 'a'));
  const End end = in_process([&] {
    files::map_file(other);  // is unmapped at once
    const files::Bytes first = files::map_file(other);
    const files::Bytes bytes = files::map_file(path);
    std::filesystem::resize_file(path, 10);
    if (bytes.view[5] != 'a') ::_exit(1);
    if (bytes.view[kSize - 1] == 'a') ::_exit(2);
  });
  CHECK(WIFEXITED(end.status));
  CHECK(WEXITSTATUS(end.status) == static_cast<int>(Exit::not_usable));
  CHECK(end.text == fmt::format("knead: {} was shortened while it was read; it had 1048576 bytes "
                                "when it was opened\n"
                                "     = leave the files of a run as they are until it has ended\n",
                                path.string()));
}

TEST_CASE("other accesses that fail end the process as ever") {
  const tests::Folder folder;
  const auto path = folder / "data.csv";
  tests::write_text(path, std::string(kSize, 'a'));
  const End end = in_process([&] {
    const files::Bytes bytes = files::map_file(path);
    ::raise(SIGBUS);
    ::raise(SIGBUS);  // the first one put back what the signal does without a handler
  });
  CHECK(WIFSIGNALED(end.status));
  CHECK(WTERMSIG(end.status) == SIGBUS);
  CHECK(end.text.empty());
}
