#include "runner/weights/pickle.h"

#include <stdexcept>

#include <catch2/catch.hpp>

#include "runner/weights/state_dict.h"
#include "schema/document/error.h"

using namespace knead::weights;
using std::string_view_literals::operator""sv;

namespace {

/// A budget that no pickle of these tests comes near to.
knead::files::Budget budget("the.file");

std::string pickle_refusal(std::string_view bytes) {
  try {
    const Pickle pickle(bytes, budget);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no refusal";
}

}  // namespace

TEST_CASE("a pickle is read, and nothing in it is run") {
  // os.system("true"), as a pickle that would call it.
  const Pickle pickle(
      "\x80\x02"
      "cposix\nsystem\nX\x04\0\0\0true\x85R."sv,
      budget);
  const auto& object = std::get<PickledObject>(pickle.root().kind);
  CHECK(object.type == "posix system");
  CHECK(find_state_dicts(pickle.root(), budget).empty());
}

TEST_CASE("values of a pickle") {
  const Pickle pickle(
      "\x80\x04\x95\x1c\0\0\0\0\0\0\0(K\x05M\xff\xffJ\xff\xff\xff\xff\x8a\x03\0\0\x80"
      "G\x3f\xe0\0\0\0\0\0\0N\x88\x8c\x02hi\x94h\0t."sv,
      budget);
  const auto& items = std::get<PickledList>(pickle.root().kind).items;
  REQUIRE(items.size() == 9);
  CHECK(std::get<std::int64_t>(items[0]->kind) == 5);
  CHECK(std::get<std::int64_t>(items[1]->kind) == 65535);
  CHECK(std::get<std::int64_t>(items[2]->kind) == -1);
  CHECK(std::get<std::int64_t>(items[3]->kind) == -8388608);
  CHECK(std::get<double>(items[4]->kind) == 0.5);
  CHECK(std::holds_alternative<PickledNone>(items[5]->kind));
  CHECK(std::get<bool>(items[6]->kind));
  CHECK(std::get<std::string>(items[7]->kind) == "hi");
  CHECK(items[8] == items[7]);
}

TEST_CASE("a pickle may hold itself") {
  const Pickle pickle("\x80\x02}q\0X\x04\0\0\0selfh\0s."sv, budget);
  const auto& entries = std::get<PickledDict>(pickle.root().kind).entries;
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].second == &pickle.root());
  CHECK(find_state_dicts(pickle.root(), budget).empty());
}

TEST_CASE("what is no pickle is refused") {
  CHECK(pickle_refusal("") == "its pickle is cut short");
  CHECK(pickle_refusal("I5\n.") == "it does not begin as a pickle does");
  CHECK(pickle_refusal("\x80\x09."sv) == "it is a pickle of the unknown protocol 9");
  CHECK(pickle_refusal("\x80\x02I5\n."sv) == "it is a pickle of Python's old text protocol");
  CHECK(pickle_refusal("\x80\x02\x82\x01."sv) == "its pickle has the unknown instruction 0x82");
  CHECK(pickle_refusal("\x80\x02."sv) == "its pickle takes more than it has put down");
  CHECK(pickle_refusal("\x80\x02(s."sv) == "its pickle takes more than it has put down");
  CHECK(pickle_refusal("\x80\x02t."sv) == "its pickle goes back to a mark that it has not set");
  CHECK(pickle_refusal("\x80\x02h\x05."sv) == "its pickle refers to what it has not kept");
  CHECK(pickle_refusal("\x80\x02K\x05N\x88s."sv) == "its pickle sets an item of what has none");
  CHECK(pickle_refusal("\x80\x02X\xff\xff\xff\xffhi."sv) == "its pickle is cut short");
  CHECK(pickle_refusal("\x80\x02}(N\x88Nu."sv) == "its pickle has a key without a value");
}

TEST_CASE("a pickle takes no more memory than its budget") {
  const auto refusal = [](const std::string& part, std::size_t times, std::string begin = "") {
    std::string bytes = "\x80\x02" + begin;
    for (std::size_t i = 0; i < times; ++i) bytes += part;
    knead::files::Budget small("the.file", {.memory = 1 << 20});
    try {
      const Pickle pickle(bytes + ".", small);
    } catch (const knead::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string beyond = "the.file: what it describes takes more than 1.0 MB of memory to read";
  CHECK(refusal("N", 1000).empty());
  CHECK(refusal("N", 20'000) == beyond);
  CHECK(refusal("2", 200'000, "N") == beyond);
  CHECK(refusal("(", 200'000) == beyond);
  CHECK(refusal("\x85", 20'000, ")") == beyond);
  CHECK(refusal("NNs", 100'000, "}") == beyond);
  CHECK(refusal("h" + std::string(1, '\0') + "h" + std::string(1, '\0') + "\x93", 20'000,
                "U\x03"
                "abcq" +
                    std::string(1, '\0')) == beyond);
}

TEST_CASE("a name in a pickle has at most 1000 bytes") {
  const std::string long_name(1001, 'n');
  CHECK(pickle_refusal("\x80\x02"
                       "cm\n" +
                       long_name + "\n.") ==
        "its pickle has a name of 1001 bytes, where 1000 are the most");
  CHECK(pickle_refusal("\x80\x02"
                       "cm\n" +
                       long_name.substr(1) + "\n.") == "no refusal");
}
