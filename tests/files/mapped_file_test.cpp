#include "runner/files/mapped_file.h"

#include <array>
#include <string>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;

namespace {

/// Holds how a process ended, and what it wrote to standard error.
struct End {
  int status = 0;
  std::string text;
};

/// Calls `work` in a process of its own, which ends with code 0 if `work` returns.
template <class Work>
End in_process(const Work& work) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    work();
    ::_exit(0);
  }
  ::close(ends[1]);
  End end;
  std::array<char, 4096> bytes{};
  for (ssize_t count = 0; (count = ::read(ends[0], bytes.data(), bytes.size())) > 0;)
    end.text.append(bytes.data(), static_cast<std::size_t>(count));
  ::close(ends[0]);
  ::waitpid(child, &end.status, 0);
  return end;
}

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
