#include "runner/launch/last_lines.h"

#include <numeric>
#include <random>

#include <catch2/catch.hpp>

using knead::launch::last_lines;

namespace {

using Lines = std::vector<std::string>;

std::size_t bytes_in(const Lines& lines) {
  return std::accumulate(
      lines.begin(), lines.end(), std::size_t{0},
      [](std::size_t sum, const std::string& line) { return sum + line.size(); });
}

}  // namespace

TEST_CASE("the last lines of an output, oldest first") {
  CHECK(last_lines("").empty());
  CHECK(last_lines("\n \n\r\n").empty());
  CHECK(last_lines("one\ntwo\n\nthree") == Lines{"one", "two", "three"});
  std::string many;
  for (int i = 0; i < 100; ++i) many += "line " + std::to_string(i) + "\n";
  CHECK(last_lines(many).size() == 10);
  CHECK(last_lines(many).front() == "line 90");
  CHECK(last_lines(many).back() == "line 99");
}

TEST_CASE("a line that was written over shows its last version") {
  CHECK(last_lines("10%\r20%\r30%\r\n") == Lines{"30%"});
  CHECK(last_lines("a\r\nb\r\n") == Lines{"a", "b"});
}

TEST_CASE("escape sequences are left out, other control characters become '?'") {
  CHECK(last_lines("\033[1;31mred\033[0m") == Lines{"red"});
  CHECK(last_lines("\033]0;title\007a\033]8;;http://x\033\\b") == Lines{"ab"});
  CHECK(last_lines("\033Pq#0\033\\a\033(Bb\033cc\033#8d") == Lines{"abcd"});
  CHECK(last_lines("a\033") == Lines{"a"});
  CHECK(last_lines("a\033[12") == Lines{"a"});
  CHECK(last_lines("a\033]0;never ends") == Lines{"a"});
  CHECK(last_lines("a\033]0;x\033[31mb") == Lines{"a31mb"});  // the string swallows ESC and '['
  CHECK(last_lines("tab\there\a\b\x7f") == Lines{"tab here???"});
  CHECK(last_lines(std::string("a\0b", 3)) == Lines{"a?b"});
}

TEST_CASE("what is no UTF-8, or turns the text around, becomes '?'") {
  CHECK(last_lines("übung 深 🙂") == Lines{"übung 深 🙂"});
  CHECK(last_lines("\xc2\x9b"
                   "31m") == Lines{"?"
                                   "?31m"});
  CHECK(last_lines("\xff\xc0\x9b\xe0\x80\x80") == Lines{"??????"});
  CHECK(last_lines("\xed\xa0\x80 \xf5\x80\x80\x80 \xe6\xb7") == Lines{"??? ???? ??"});
  CHECK(last_lines("a\xe2\x80\xae"
                   "b") == Lines{"a???b"});
}

TEST_CASE("the lines together have a limit") {
  const std::string long_line(1000, 'x');
  CHECK(last_lines(long_line + "\n" + long_line + "\n" + long_line).size() == 2);
  const Lines one = last_lines(std::string(100000, 'y') + "end");
  REQUIRE(one.size() == 1);
  CHECK(one[0].size() <= knead::launch::kMostLastBytes);
  CHECK(one[0].starts_with("…yy"));
  CHECK(one[0].ends_with("yyend"));
  std::string wide;
  for (int i = 0; i < 2000; ++i) wide += "深";
  const Lines cut = last_lines(wide);
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].size() <= knead::launch::kMostLastBytes);
  CHECK(last_lines(cut[0]) == cut);
}

TEST_CASE("any bytes give lines that are safe to print") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 300, '\0');
    // Half of the bytes are those that matter.
    for (char& byte : bytes)
      byte = random() % 2 ? static_cast<char>(random())
                          : "\033[]\\\a;m\n\r\t1 \xc2\x9b"[random() % 14];
    const Lines lines = last_lines(bytes);
    CHECK(lines.size() <= 10);
    CHECK(bytes_in(lines) <= knead::launch::kMostLastBytes);
    for (const std::string& line : lines) {
      CHECK(std::none_of(line.begin(), line.end(),
                         [](unsigned char c) { return c < 0x20 || c == 0x7F; }));
      CHECK(last_lines(line) == Lines{line});  // nothing is left to make safe
    }
  }
}
