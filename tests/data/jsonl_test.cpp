#include "runner/data/table/jsonl.h"

#include <cstring>

#include "tests/data/arrays/files.h"

using namespace knead;
using namespace knead::tests;

namespace {

recipe::JsonlField field(const std::string& key) {
  recipe::JsonlField out;
  out.key = key;
  return out;
}

recipe::JsonlField whole(const std::string& key) {
  recipe::JsonlField out = field(key);
  out.dtype = recipe::JsonlField::Dtype::int64;
  return out;
}

recipe::JsonlField words(const std::string& key, std::vector<std::string> categories) {
  recipe::JsonlField out = field(key);
  out.categories = std::move(categories);
  return out;
}

recipe::JsonlField two_by_two() {
  recipe::JsonlField out = field("x");
  out.shape = {{2, 2}};
  return out;
}

data::Table read_lines(const std::string& text, recipe::JsonlField one) {
  const Folder folder;
  recipe::Jsonl jsonl;
  jsonl.path = folder.write("the.jsonl", text);
  jsonl.fields = {{"x", std::move(one)}};
  return data::read_jsonl(jsonl);
}

template <class T>
std::vector<T> values(const data::Table& table) {
  std::vector<T> out(table.values(0).size() / sizeof(T));
  std::memcpy(out.data(), table.values(0).data(), table.values(0).size());
  return out;
}

/// The message behind the folder of the file.
std::string why_not_jsonl(const std::string& text, recipe::JsonlField one) {
  const std::string message = refusal([&] { read_lines(text, std::move(one)); });
  const std::size_t at = message.find("the.jsonl");
  return at == message.npos ? message : message.substr(at);
}

using Floats = std::vector<float>;
using Whole = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("numbers, lists and objects within objects become fields") {
  CHECK(values<float>(read_lines("{\"x\": 1.5}\n{\"x\": -2}\n", field("x"))) == Floats{1.5F, -2});
  CHECK(values<float>(read_lines("{\"a\": {\"b\": 7}}", field("a.b"))) == Floats{7});
  CHECK(values<float>(read_lines("{\"a.b\": 8}", field("a.b"))) == Floats{8});
  const data::Table table = read_lines("{\"x\": [[1, 2], [3, 4], [5, 6]]}\r\n\n \t\n", field("x"));
  CHECK(table.rows() == 1);
  CHECK(table.fields()[0].shape == std::vector<std::int64_t>{3, 2});
  CHECK(values<float>(table) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(values<std::int64_t>(read_lines("{\"x\": 9007199254740993}\n{\"x\": true}", whole("x"))) ==
        Whole{9007199254740993, 1});
}

TEST_CASE("a mark of UTF-8 at the beginning is passed over") {
  CHECK(values<float>(read_lines("\xEF\xBB\xBF{\"x\": 2}\n", field("x"))) == Floats{2});
}

TEST_CASE("a number that the type cannot hold is refused, not made infinite") {
  CHECK(why_not_jsonl("{\"x\": 1}\n{\"x\": 1e39}", field("x")) ==
        "the.jsonl:2: 'x' does not fit float32: 1e+39");
  recipe::JsonlField real = field("x");
  real.dtype = recipe::JsonlField::Dtype::float64;
  CHECK(values<double>(read_lines("{\"x\": 1e39}", real)) == std::vector<double>{1e39});
  CHECK(why_not_jsonl("{\"x\": 9223372036854775808}", whole("x")) ==
        "the.jsonl:1: 'x' does not fit int64: 9223372036854775808");
  CHECK(why_not_jsonl("{\"x\": 9007199254740993.0}", whole("x"))
            .rfind("the.jsonl:1: 'x' does not fit int64 exactly: ", 0) == 0);
}

TEST_CASE("a key that an object has twice is refused") {
  CHECK(why_not_jsonl("{\"x\": 1}\n{\"x\": 1, \"x\": 2}", field("x")) ==
        "the.jsonl:2: an object has the key 'x' twice");
  CHECK(why_not_jsonl("{\"x\": 1, \"\\u0078\": 1}", field("x")) ==
        "the.jsonl:1: an object has the key 'x' twice");
  CHECK(why_not_jsonl("{\"a\": {\"b\": 1}, \"a\": {\"c\": 1}}", field("a.b")) ==
        "the.jsonl:1: an object has the key 'a' twice");
  CHECK(why_not_jsonl("{\"a\": {\"b\": 1, \"b\": 1}}", field("a.b")) ==
        "the.jsonl:1: an object has the key 'b' twice");
  const std::string line = "{\"x\": 1, \"y\": 2, \"z\": 3}\n";
  CHECK(why_not_jsonl(line + line + "{\"x\": 1, \"y\": 2, \"y\": 3}", field("x")) ==
        "the.jsonl:3: an object has the key 'y' twice");
  CHECK(values<float>(read_lines(line + "{\"x\": 2}\n{\"z\": 0, \"x\": 3}", field("x"))) ==
        Floats{1, 2, 3});
}

TEST_CASE("words become the numbers of their categories") {
  const std::string text = "{\"x\": \"rose\"}\n{\"x\": \"tulip\"}\n{\"x\": \"rose\"}";
  const data::Table table = read_lines(text, words("x", {"tulip", "rose"}));
  CHECK(table.fields()[0].dtype == data::Dtype::int64);
  CHECK(values<std::int64_t>(table) == Whole{1, 0, 1});
}

TEST_CASE("a word without categories is told of them") {
  std::string hint;
  try {
    read_lines("{\"x\": \"one\"}", field("x"));
  } catch (const Error& error) {
    hint = error.remedy();
  }
  CHECK(hint ==
        "categories say which words stand for numbers, as in categories: [red, green]; field 'x' "
        "reads it");
}

TEST_CASE("what is wrong with a line is said with its number") {
  CHECK(why_not_jsonl("{\"x\": 1}\n\n{\"x\": 1", field("x")).rfind("the.jsonl:3: no JSON: ", 0) ==
        0);
  CHECK(why_not_jsonl("[1]", field("x")) == "the.jsonl:1: no object");
  CHECK(why_not_jsonl("{\"y\": 1}", field("x")) == "the.jsonl:1: there is no 'x'");
  CHECK(why_not_jsonl("{\"a\": 1}", field("a.b")) == "the.jsonl:1: there is no 'a.b'");
  CHECK(why_not_jsonl("{\"x\": \"one\"}", field("x")) ==
        "the.jsonl:1: 'x' is not a finite number: \"one\"");
  CHECK(why_not_jsonl("{\"x\": null}", field("x")) ==
        "the.jsonl:1: 'x' is not a finite number: null");
  CHECK(why_not_jsonl("{\"x\": 1.5}", whole("x")) == "the.jsonl:1: 'x' is not a whole number: 1.5");
  CHECK(why_not_jsonl("{\"x\": [1, 2]}\n{\"x\": [1]}", field("x")) ==
        "the.jsonl:2: 'x' has 1 numbers, and not 2");
  CHECK(why_not_jsonl("{\"x\": \"rise\"}", words("x", {"tulip", "rose"})) ==
        "the.jsonl:1: 'rise' is none of the 2 categories");
  CHECK(why_not_jsonl("{\"x\": 1}", words("x", {"a"})) == "the.jsonl:1: 'x' is no text: 1");
  CHECK(why_not_jsonl("\n \n", field("x")) == "the.jsonl: no rows");
  CHECK(why_not_jsonl(std::string(5000, '['), field("x")).rfind("the.jsonl:1: no JSON: ", 0) == 0);
}

TEST_CASE("a ragged list is refused, even with as many numbers as the shape") {
  for (const char* ragged : {"[[1, 2, 3], [4]]", "[[1, 2], 3, 4]", "[1, 2, [3, 4]]",
                             "[[1, 2], [3, [4]]]", "[1, 2, 3, 4, []]", "[[1, 2, 3, 4], []]"}) {
    CAPTURE(ragged);
    CHECK(why_not_jsonl("{\"x\": [[1, 2], [3, 4]]}\n{\"x\": " + std::string(ragged) + "}",
                        two_by_two()) == "the.jsonl:2: 'x' is a ragged list, and not (2, 2)");
  }
  CHECK(why_not_jsonl("{\"x\": [1, [2]]}", field("x")) ==
        "the.jsonl:1: 'x' is a ragged list, and not (2)");
}

TEST_CASE("values are nested as the first one, but a written shape takes numbers in their order") {
  const std::string text = "{\"x\": [[1, 2], [3, 4]]}\n{\"x\": ";
  for (const char* other : {"[1, 2, 3, 4]", "[[1, 2, 3, 4]]", "[[1], [2], [3], [4]]"}) {
    CAPTURE(other);
    CHECK(values<float>(read_lines(text + other + "}", two_by_two())) ==
          Floats{1, 2, 3, 4, 1, 2, 3, 4});
  }
  CHECK(why_not_jsonl(text + "[1, 2, 3, 4]}", field("x")) ==
        "the.jsonl:2: 'x' is (4), and not (2, 2)");
  CHECK(why_not_jsonl(text + "[[1], [2], [3], [4]]}", field("x")) ==
        "the.jsonl:2: 'x' is (4, 1), and not (2, 2)");
  CHECK(read_lines("{\"x\": [[], []]}\n{\"x\": [[], []]}", field("x")).rows() == 2);
}
