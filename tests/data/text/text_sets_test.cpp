#include <catch2/catch.hpp>

#include "runner/data/sets/data_files.h"
#include "runner/data/sets/open.h"
#include "runner/data/sets/sets.h"
#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;

namespace {

recipe::Text text(const std::filesystem::path& file, recipe::Tokenizer tokenizer) {
  recipe::Text out{};
  out.path = {file};
  out.tokenizer = std::move(tokenizer);
  out.context = 3;
  return out;
}

std::vector<std::int64_t> row(const data::Set& set, std::uint64_t sample) {
  std::vector<std::uint64_t> rows;
  const std::uint64_t samples[] = {sample};
  set.find_rows(samples, rows);
  std::vector<std::int64_t> out(3);
  set.source().read(0, {rows}, reinterpret_cast<std::byte*>(out.data()));
  return out;
}

}  // namespace

TEST_CASE("sets of text share the characters of the training set's files") {
  const tests::Folder folder;
  recipe::Data data{};
  data.train = text(folder.write("train", "abcdefghij"), recipe::CharacterTokenizer{});
  data.validation = text(folder.write("validation", "jihgfedcba"), recipe::CharacterTokenizer{});
  const data::Sets sets = data::read_sets(data, 0);
  CHECK(sets.train.size() == 3);
  CHECK(row(sets.train, 1) == std::vector<std::int64_t>{3, 4, 5});
  CHECK(row(*sets.validation, 0) == std::vector<std::int64_t>{9, 8, 7});
  REQUIRE(sets.tokenizer);
  CHECK(sets.tokenizer->words() == "10 characters");
  data.validation = text(folder.write("other", "abcxyz"), recipe::CharacterTokenizer{});
  CHECK_THROWS_WITH(data::read_sets(data, 0), Catch::Contains("'x' (U+0078)"));
}

TEST_CASE("shares of one text are cut between tokens, and what is held out are windows") {
  const tests::Folder folder;
  const auto file = folder.write("text", "abcdefghijklmnopqrst");
  recipe::Data data{};
  recipe::Text train = text(file, recipe::CharacterTokenizer{});
  recipe::Text validation = train;
  train.rows = {{0, schema::Unit::percent}, {50, schema::Unit::percent}};
  validation.rows = {{50, schema::Unit::percent}, {100, schema::Unit::percent}};
  data.train = train;
  data.validation = validation;
  const data::Sets sets = data::read_sets(data, 0);
  CHECK(sets.train.size() == 3);
  CHECK(row(*sets.validation, 0) == std::vector<std::int64_t>{10, 11, 12});

  train.rows.reset();
  data.train = train;
  recipe::Text held = train;
  held.like = "train";
  held.hold_out = schema::Quantity{2, schema::Unit::samples};
  data.validation = held;
  const data::Sets parts = data::read_sets(data, 0);
  CHECK(parts.train.size() == 4);
  CHECK(parts.validation->size() == 2);
}

TEST_CASE("bytes are tokens as they lie in the file, whatever they are") {
  const tests::Folder folder;
  recipe::Data data{};
  data.train =
      text(folder.write("train", std::string("\xFF\x00\x80 abc", 7)), recipe::ByteTokenizer{});
  CHECK(row(data::read_sets(data, 0).train, 0) == std::vector<std::int64_t>{255, 0, 128});
  CHECK(data::tokens_in_sample(data.train) == 3);
}

TEST_CASE("one recipe has one tokenizer") {
  const tests::Folder folder;
  recipe::Data data{};
  data.train = text(folder.write("train", "abcdef"), recipe::ByteTokenizer{});
  data.validation = text(folder.write("validation", "abcdef"), recipe::CharacterTokenizer{});
  CHECK_THROWS_WITH(data::read_sets(data, 0),
                    "data.validation has another tokenizer than the set before it");
}

TEST_CASE("the digest of a text knows all its files by name and content") {
  const tests::Folder folder;
  recipe::Text both = text(folder.write("a", "abc"), recipe::ByteTokenizer{});
  both.path->push_back(folder.write("b", "def"));
  const std::string before = data::data_digest(both);
  CHECK(before.starts_with("2 files, "));
  folder.write("b", "deg");
  CHECK(data::data_digest(both) != before);
}
