#include "runner/track/short_text.h"

#include <limits>

#include <catch2/catch.hpp>

#include "runner/track/curve.h"
#include "runner/track/sparkline.h"

using namespace knead::track;

TEST_CASE("numbers have four digits") {
  CHECK(short_number(0.23141) == "0.2314");
  CHECK(short_number(2.3) == "2.300");
  CHECK(short_number(0) == "0.000");
  CHECK(short_number(-1.5) == "-1.500");
  CHECK(short_number(12345) == "12345");
  CHECK(short_number(999.94) == "999.9");
  CHECK(short_number(-999.96) == "-1000");
  CHECK(short_number(1.236e7) == "1.236e+07");
  CHECK(short_number(1234.4) == "1234");
  CHECK(short_number(0.0000123456) == "1.235e-05");
  CHECK(short_number(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(short_number(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("counts have prefixes") {
  CHECK(short_count(0) == "0.0");
  CHECK(short_count(3.24) == "3.2");
  CHECK(short_count(9.96) == "10");
  CHECK(short_count(812.4) == "812");
  CHECK(short_count(9999.4) == "9999");
  CHECK(short_count(9999.6) == "10.0k");
  CHECK(short_count(12431) == "12.4k");
  CHECK(short_count(123456) == "123k");
  CHECK(short_count(999600) == "1.00M");
  CHECK(short_count(1.236e6) == "1.24M");
  CHECK(short_count(5e15) == "5000T");
}

TEST_CASE("durations are in the units that one thinks in") {
  CHECK(short_duration(0.04) == "0.0 s");
  CHECK(short_duration(3.25) == "3.2 s");
  CHECK(short_duration(9.96) == "10 s");
  CHECK(short_duration(38.4) == "38 s");
  CHECK(short_duration(59.6) == "1 min");
  CHECK(short_duration(740) == "12 min");
  CHECK(short_duration(3599) == "1 h");
  CHECK(short_duration(12000) == "3 h 20 min");
  CHECK(short_duration(86400) == "1 d");
  CHECK(short_duration(187200) == "2 d 4 h");
}

TEST_CASE("a sparkline shows the shape of what was added") {
  Sparkline line;
  CHECK(line.text().empty());
  line.add(8);
  CHECK(line.text().empty());
  for (int value = 7; value >= 1; --value) line.add(value);
  CHECK(line.text() == "█▇▆▅▄▃▂▁");
  line.add(std::numeric_limits<double>::quiet_NaN());
  line.add(std::numeric_limits<double>::infinity());
  CHECK(line.text() == "█▇▆▅▄▃▂▁");
}

TEST_CASE("a flat sparkline is low") {
  Sparkline line;
  line.add(3);
  line.add(3);
  CHECK(line.text() == "▁▁");
}

TEST_CASE("a long sparkline becomes coarser, and still shows all") {
  Sparkline line;
  for (std::size_t i = 0; i < Sparkline::kMost; ++i) line.add(static_cast<double>(i / 4));
  CHECK(line.text() == "▁▁▂▂▃▃▄▄▅▅▆▆▇▇██");
  line.add(0);
  CHECK(line.text() == "▁▁▂▂▃▃▄▄▅▅▆▆▇▇██");
  line.add(0);
  CHECK(line.text() == "▁▁▂▂▃▃▄▄▅▅▆▆▇▇██▁");
}

TEST_CASE("a sparkline is as short as is asked for") {
  Sparkline line;
  for (int value = 0; value < 8; ++value) line.add(value);
  CHECK(line.text(8) == "▁▂▃▄▅▆▇█");
  CHECK(line.text(7) == "▁▃▆█");
  CHECK(line.text(3) == "▁▅█");
  CHECK(line.text(1).empty());
}

TEST_CASE("whole counts are grouped") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(17226) == "17,226");
  CHECK(grouped(1234567890) == "1,234,567,890");
}

TEST_CASE("an area shows where values are high") {
  using Lines = std::vector<std::string>;
  CHECK(area({1, 1, 1}, 2) == Lines{"███", "███"});
  CHECK(area({0, 1, 2, 4, 2, 0}, 2) == Lines{"   █", " ▄███"});
  CHECK(area({0.0001, 8}, 1) == Lines{"▁█"});
  CHECK(area({0, 0}, 1) == Lines{""});
  CHECK(area({}, 1) == Lines{""});
}
