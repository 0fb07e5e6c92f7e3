#include "runner/track/log.h"

#include <csignal>
#include <ctime>

#include <sys/resource.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/folder.h"

using namespace knead;

namespace {

/// The line without its date and time, which must be of this minute or the one before.
std::string said_now(const std::string& line) {
  std::tm when{};
  const char* rest = ::strptime(line.c_str(), "%Y-%m-%d %H:%M:%S", &when);
  REQUIRE(rest);
  CHECK(rest - line.c_str() == 19);
  when.tm_isdst = -1;
  CHECK(std::abs(std::difftime(std::time(nullptr), std::mktime(&when))) < 60);
  return rest;
}

/// The lines of a file, each without its date and time.
std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  const std::string text = tests::text_of(file);
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
    lines.push_back(said_now(text.substr(begin, end - begin)));
  CHECK((text.empty() || text.back() == '\n'));
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a line of the log has its local time, and is in the file at once") {
  const tests::Folder folder;
  track::Log log(folder / "log.txt");
  log.write("saved step 470");
  CHECK(lines_of(folder / "log.txt") == Lines{"  saved step 470"});
  log.write("");
  log.write("{} %v ▇ \x80");
  CHECK(lines_of(folder / "log.txt") == Lines{"  saved step 470", "  ", "  {} %v ▇ \x80"});
}

TEST_CASE("a log is for its owner only, and the next start goes on with it") {
  const tests::Folder folder;
  const mode_t before = ::umask(0);
  track::Log(folder / "log.txt").write("one");
  ::umask(before);
  track::Log(folder / "log.txt").write("two");
  struct stat facts {};
  REQUIRE(::stat((folder / "log.txt").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  CHECK(lines_of(folder / "log.txt") == Lines{"  one", "  two"});
}

TEST_CASE("a log that cannot be opened ends nothing") {
  const tests::Folder folder;
  track::Log(folder / "missing/log.txt").write("one");
  folder.write("elsewhere", "");
  std::filesystem::create_symlink("elsewhere", folder / "log.txt");
  track::Log(folder / "log.txt").write("one");
  CHECK(tests::text_of(folder / "elsewhere").empty());
}

TEST_CASE("on a full disk a log loses whole lines, and goes on when there is room") {
  const tests::Folder folder;
  track::Log log(folder / "log.txt");
  log.write("one");
  rlimit room{};
  ::getrlimit(RLIMIT_FSIZE, &room);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{std::filesystem::file_size(folder / "log.txt") + 7, room.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &full);
  log.write("two");
  log.write("three");
  ::setrlimit(RLIMIT_FSIZE, &room);
  std::signal(SIGXFSZ, handler);
  log.write("four");
  CHECK(lines_of(folder / "log.txt") == Lines{"  one", "  four"});
}
