#include "schema/document/shown_text.h"

#include <catch2/catch.hpp>

#include "schema/document/standard_streams.h"

using namespace knead;
using schema::shortened;
using schema::shown_lines;
using schema::shown_text;

TEST_CASE("Of a text of unknown origin a terminal gets only what it shows") {
  CHECK(shown_text("plain 字 ä\ttab") == "plain 字 ä tab");
  CHECK(shown_text("\033[2Ja\033]0;title\ab\033Pstring\033\\c") == "abc");
  CHECK(shown_text("a\nb\rc\x7f"
                   "d") == "a?b?c?d");
  CHECK(shown_text("a\u009b2J\u202egnp\u2028") == "a??2J???gnp???");
  CHECK(shown_text("\xff\xc0\x80") == "???");
  CHECK(shown_text("\033[") == "");
}

TEST_CASE("Lines stay lines, and colours stay where they are asked for") {
  CHECK(shown_lines("a\n\033[2Jb\n") == "a\nb\n");
  CHECK(shown_lines("\033[1;31mred\033[0m\n\033[2J") == "red\n");
  CHECK(shown_lines("\033[1;31mred\033[0m\n\033[2J", true) == "\033[1;31mred\033[0m\n");
  CHECK(shown_lines("\033[31\033]0;t\am", true) == "m");
  CHECK(shown_lines("") == "");
}

TEST_CASE("A long text says how much of it is left out") {
  CHECK(shortened("0123456789", 10) == "0123456789");
  CHECK(shortened("0123456789a", 10) == "01234567…(1 bytes left out)…9a");
  CHECK(shortened(std::string(10'000'000, 'a'), 10) == "aaaaaaaa…(9999990 bytes left out)…aa");
  // Letters of three bytes: neither half of one is kept.
  CHECK(shortened("字字字字字字", 10) == "字字…(12 bytes left out)…");
}

TEST_CASE("A complaint is one message, whatever stands in it") {
  CHECK(complaint("it failed", "") == "knead: it failed\n");
  CHECK(complaint("it failed", "mend it") == "knead: it failed\n     = mend it\n");
  CHECK(complaint("no 'a\nknead: done\033[2J'", "") == "knead: no 'a\n       knead: done'\n");
  CHECK(complaint(std::string(100'000, 'a'), std::string(100'000, 'b')).size() < 4096);
  CHECK(complaint(std::string(100'000, '\n'), "").size() < 4096);
}
