#include "schema/document/quantity.h"

#include <catch2/catch.hpp>

#include "schema/document/byte_words.h"
#include "schema/rules/lengths.h"

using namespace knead::schema;

namespace {

constexpr Unit kAll[] = {Unit::steps,   Unit::epochs,      Unit::samples,
                         Unit::tokens,  Unit::evaluations, Unit::seconds,
                         Unit::percent, Unit::bytes,       Unit::rows};
constexpr Unit kRun[] = {Unit::epochs, Unit::steps, Unit::samples, Unit::tokens, Unit::seconds};

Quantity quantity(const char* text) { return std::get<Quantity>(read_quantity(text, kAll)); }

QuantityFault::Kind fault(const char* text) {
  return std::get<QuantityFault>(read_quantity(text, kRun)).kind;
}

}  // namespace

TEST_CASE("quantities carry their unit") {
  CHECK(quantity("100 steps") == Quantity{100, Unit::steps});
  CHECK(quantity("1 epoch") == Quantity{1, Unit::epochs});
  CHECK(quantity("0.5 epochs") == Quantity{0.5, Unit::epochs});
  CHECK(quantity("5e6 samples") == Quantity{5e6, Unit::samples});
  CHECK(quantity("1e9 tokens") == Quantity{1e9, Unit::tokens});
  CHECK(quantity("30 minutes") == Quantity{1800, Unit::seconds});
  CHECK(quantity("30min") == Quantity{1800, Unit::seconds});
  CHECK(quantity("1.5 h") == Quantity{5400, Unit::seconds});
  CHECK(quantity("90 s") == Quantity{90, Unit::seconds});
  CHECK(quantity("10%") == Quantity{10, Unit::percent});
  CHECK(quantity("25 MB") == Quantity{25e6, Unit::bytes});
  CHECK(quantity("2 GiB") == Quantity{2147483648.0, Unit::bytes});
  CHECK(quantity("3 evaluations") == Quantity{3, Unit::evaluations});
}

TEST_CASE("their canonical text reads back as the same") {
  for (const char* text : {"100 steps", "1 step", "2.5 epochs", "15 min", "4 h", "90 s", "0.25 s",
                           "10%", "25 MB", "2 GiB", "1 evaluation", "1000000000 tokens"}) {
    CHECK(to_string(quantity(text)) == text);
  }
  CHECK(to_string(quantity("900 s")) == "15 min");
  CHECK(to_string(quantity("5e6 samples")) == "5000000 samples");
}

TEST_CASE("what is no quantity says why") {
  using Kind = QuantityFault::Kind;
  CHECK(fault("20") == Kind::unit_missing);
  CHECK(fault("20 epochen") == Kind::unknown_unit);
  CHECK(fault("20 Epochs") == Kind::unknown_unit);
  CHECK(fault("10%") == Kind::wrong_unit);
  CHECK(fault("epochs") == Kind::not_a_number);
  CHECK(fault("1_000 steps") == Kind::unknown_unit);
  CHECK(fault("020 epochs") == Kind::leading_zero);
  CHECK(fault("1.5 steps") == Kind::not_whole);
  CHECK(fault("") == Kind::not_a_number);
  CHECK(unit_hint("20", kRun) ==
        "write '20 epochs' or '20 steps' (also samples, tokens, minutes, hours)");
  CHECK(unit_hint("0.1", kRun) == "write '0.1 epochs' or '0.1 minutes' (also hours)");
  CHECK(nearest_unit_word("epocs", kRun) == "epochs");
}

TEST_CASE("lengths become steps where the recipe says enough") {
  const Epoch epoch{1500, 32, false};
  CHECK(epoch.steps() == 47);
  CHECK(Epoch{1500, 32, true}.steps() == 46);
  CHECK(in_steps({20, Unit::epochs}, epoch) == 940);
  CHECK(in_steps({100, Unit::steps}, std::nullopt) == 100);
  CHECK(in_steps({3000, Unit::samples}, epoch) == 94);
  CHECK(in_steps({10, Unit::percent}, epoch, 940) == 94);
  CHECK_FALSE(in_steps({20, Unit::epochs}, std::nullopt));
  CHECK_FALSE(in_steps({10, Unit::seconds}, epoch));
}

TEST_CASE("sizes are in powers of a thousand") {
  CHECK(byte_words(0) == "0 B");
  CHECK(byte_words(812) == "812 B");
  CHECK(byte_words(1234) == "1.2 kB");
  CHECK(byte_words(34.2e6) == "34 MB");
  CHECK(byte_words(999.6e6) == "1.0 GB");
  CHECK(byte_words(5.6e9) == "5.6 GB");
  CHECK(byte_words(4e15) == "4.0 PB");
  CHECK(byte_words(4e18) == "4000 PB");
}
