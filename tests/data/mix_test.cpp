#include "runner/data/sets/mix.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>

#include <unistd.h>

#include <catch2/catch.hpp>

#include "runner/data/sets/batches.h"
#include "runner/data/sets/data_files.h"
#include "runner/data/sets/open.h"
#include "runner/data/sets/sets.h"
#include "schema/document/error.h"

using namespace knead;

namespace {

namespace fs = std::filesystem;

/// A file that is gone when the test is over.
class TextFile {
 public:
  TextFile(const std::string& name, const std::string& text)
      : path_(fs::temp_directory_path() / ("knead_" + std::to_string(::getpid()) + "_" + name)) {
    std::ofstream(path_) << text;
  }
  ~TextFile() { fs::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string lines(int begin, int end) {
  std::string text;
  for (int i = begin; i < end; ++i) text += std::to_string(i) + "\n";
  return text;
}

recipe::Csv numbers_of_mix(const fs::path& path, std::optional<std::int64_t> weight = {}) {
  recipe::Csv csv;
  csv.path = path;
  csv.delimiter = ",";
  recipe::CsvField field;
  field.columns = {std::int64_t{0}};
  field.dtype = recipe::CsvField::Dtype::int64;
  field.scale = 1;
  field.offset = 0;
  csv.fields = {{"x", field}};
  csv.weight = weight;
  return csv;
}

recipe::Data mix_of(std::vector<recipe::MixMember> members) {
  recipe::Mix mix;
  mix.of = std::move(members);
  recipe::Data data;
  data.train = mix;
  data.shuffle = true;
  data.drop_last = false;
  data.workers = data.prefetch = 1;
  return data;
}

/// What some steps of training read, by however many threads.
std::vector<std::int64_t> read_mix(const data::Sets& sets, std::uint64_t first, std::uint64_t end,
                                   data::Reading reading) {
  constexpr std::size_t kBatch = 4;
  std::map<std::size_t, std::vector<std::int64_t>> memory;
  data::Batches batches(sets.train, {0}, plan::Windows(sets.train.size(), kBatch, false),
                        sets.order, first, end, reading, [&](std::size_t slot, std::size_t) {
                          memory[slot].assign(kBatch * 8, -1);
                          return reinterpret_cast<std::byte*>(memory[slot].data());
                        });
  const std::size_t numbers_of_mix =
      sets.train.fields()[0].bytes_per_sample() / sizeof(std::int64_t);
  std::vector<std::int64_t> out;
  for (std::uint64_t step = first; step < end; ++step) {
    const data::Batch& batch = batches.next();
    const auto& values = memory.at(batch.slot);
    out.insert(out.end(), values.begin(),
               values.begin() + static_cast<std::ptrdiff_t>(batch.window.size * numbers_of_mix));
  }
  return out;
}

std::string refusal(const recipe::Data& data) {
  try {
    data::read_sets(data, 1);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a mix is as many samples as its sets, drawn by their weights in each batch") {
  const TextFile few("few.csv", lines(0, 8));
  const TextFile many("many.csv", lines(100, 140));
  const auto sets =
      data::read_sets(mix_of({numbers_of_mix(few.path()), numbers_of_mix(many.path(), 3)}), 7);
  CHECK(sets.train.size() == 48);
  const auto seen = read_mix(sets, 0, 40, {0, 1});
  for (std::size_t step = 0; step < 40; ++step) {
    const auto at = seen.begin() + static_cast<std::ptrdiff_t>(4 * step);
    CHECK(std::count_if(at, at + 4, [](std::int64_t x) { return x < 100; }) == 1);
  }
  // Three samples of many in each of forty batches: three times all of them.
  std::map<std::int64_t, int> counts;
  for (const std::int64_t x : seen) ++counts[x];
  for (std::int64_t x = 100; x < 140; ++x) CHECK(counts[x] == 3);
  for (std::int64_t x = 0; x < 8; ++x) CHECK(counts[x] == 5);
}

TEST_CASE("a mix is the same however many threads read it, and wherever reading begins") {
  const TextFile few("few.csv", lines(0, 8));
  const TextFile many("many.csv", lines(100, 140));
  const auto sets =
      data::read_sets(mix_of({numbers_of_mix(few.path(), 2), numbers_of_mix(many.path(), 5)}), 7);
  const auto expected = read_mix(sets, 0, 50, {0, 1});
  for (std::int64_t workers = 1; workers <= 8; ++workers) {
    CAPTURE(workers);
    CHECK(read_mix(sets, 0, 50, {workers, 3}) == expected);
    const auto rest = read_mix(sets, 17, 50, {workers, 2});
    CHECK(rest ==
          std::vector(expected.end() - static_cast<std::ptrdiff_t>(rest.size()), expected.end()));
  }
  auto other = mix_of({numbers_of_mix(few.path(), 2), numbers_of_mix(many.path(), 5)});
  CHECK(read_mix(data::read_sets(other, 8), 0, 50, {0, 1}) != expected);
  other.shuffle = false;
  const auto plain = read_mix(data::read_sets(other, 8), 0, 2, {0, 1});
  CHECK(plain == std::vector<std::int64_t>{100, 0, 101, 102, 103, 1, 104, 105});
}

TEST_CASE("what is held out of a mix is of all its sets, and its weights stay as they are") {
  const TextFile few("few.csv", lines(0, 20));
  const TextFile many("many.csv", lines(100, 180));
  recipe::Data data = mix_of({numbers_of_mix(few.path()), numbers_of_mix(many.path())});
  recipe::Mix validation = std::get<recipe::Mix>(data.train);
  validation.like = "train";
  validation.hold_out = schema::Quantity{20, schema::Unit::percent};
  data.validation = validation;
  const auto sets = data::read_sets(data, 3);
  CHECK(sets.train.size() == 80);
  CHECK(sets.validation->size() == 20);
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < 80; ++i) all.push_back(sets.train.rows()[i]);
  for (std::uint64_t i = 0; i < 20; ++i) all.push_back(sets.validation->rows()[i]);
  std::sort(all.begin(), all.end());
  for (std::uint64_t i = 0; i < 100; ++i) CHECK(all[i] == i);
  const auto seen = read_mix(sets, 0, 20, {0, 1});
  CHECK(std::count_if(seen.begin(), seen.end(), [](std::int64_t x) { return x < 100; }) == 40);
}

TEST_CASE("rows of the sets of a mix are their own, and so are their fields' places") {
  const TextFile file("two.csv", "0,10\n1,11\n2,12\n3,13\n4,14\n");
  recipe::Csv first = numbers_of_mix(file.path());
  recipe::CsvField second_column = first.fields[0].second;
  second_column.columns = {std::int64_t{1}};
  first.fields.emplace_back("y", second_column);
  recipe::Csv other = first;
  std::swap(other.fields[0], other.fields[1]);
  other.rows = {{{3, schema::Unit::rows}, {5, schema::Unit::rows}}};
  first.rows = {{{0, schema::Unit::rows}, {2, schema::Unit::rows}}};
  recipe::Data data = mix_of({first, other});
  data.shuffle = false;
  const auto sets = data::read_sets(data, 1);
  CHECK(sets.train.size() == 4);
  CHECK(read_mix(sets, 0, 1, {0, 1}) == std::vector<std::int64_t>{0, 3, 1, 4});
}

TEST_CASE("windows drawn at random are other ones each time a text of a mix is gone through") {
  const TextFile book("book.txt", std::string(64, 'a') + lines(0, 400));
  const TextFile poem("poem.txt", "abcdefghijklmnopqrstuvwxyz");
  const auto text = [](const fs::path& path) {
    recipe::Text out;
    out.path = {path};
    out.tokenizer = recipe::CharacterTokenizer{};
    out.context = 2;
    out.windows = recipe::Text::Windows::random;
    return out;
  };
  recipe::Data data = mix_of({text(book.path()), text(poem.path())});
  const auto sets = data::read_sets(data, 1);
  CHECK(data::tokens_in_sample(data.train) == 2);
  // The vocabulary is that of both.
  CHECK(sets.tokenizer->vocabulary() == 37);
  std::map<std::int64_t, int> firsts;  // of a poem of 24 places, gone through some twenty times
  const auto seen = read_mix(sets, 0, 120, {0, 1});
  for (std::size_t i = 2; i < seen.size(); i += 4) ++firsts[seen[i]];
  CHECK(firsts.size() > 20);
}

TEST_CASE("the sets of a mix have the same fields") {
  const TextFile file("one.csv", lines(0, 5));
  recipe::Csv named = numbers_of_mix(file.path());
  named.fields[0].first = "y";
  CHECK(refusal(mix_of({numbers_of_mix(file.path()), named})) ==
        "data.train.of.0 has the fields x, and data.train.of.1 y");
  recipe::Csv typed = numbers_of_mix(file.path());
  typed.fields[0].second.dtype = recipe::CsvField::Dtype::float32;
  CHECK(refusal(mix_of({numbers_of_mix(file.path()), typed})) ==
        "'x' is one int64 in data.train.of.0, and one float32 in data.train.of.1");
  recipe::Csv shaped = numbers_of_mix(file.path());
  shaped.fields[0].second.shape = {{1, 1}};
  CHECK(refusal(mix_of({numbers_of_mix(file.path()), shaped})) ==
        "'x' is one int64 in data.train.of.0, and (1, 1) int64 in data.train.of.1");
  recipe::Csv empty = numbers_of_mix(file.path());
  empty.rows = {{{2, schema::Unit::rows}, {9, schema::Unit::rows}}};
  CHECK(refusal(mix_of({numbers_of_mix(file.path()), empty})) ==
        "data.train.of.1.rows ends at 9, " + file.path().string() + " has 5 rows");
}

TEST_CASE("a mix is recognised by the content of all its files") {
  const TextFile one("one.csv", lines(0, 5));
  const TextFile two("two.csv", lines(5, 9));
  const recipe::Data data = mix_of({numbers_of_mix(one.path()), numbers_of_mix(two.path())});
  const std::string before = data::data_digest(data.train);
  CHECK(before.starts_with("2 sets, "));
  CHECK(data::files_of(data.train) == std::vector<fs::path>{one.path(), two.path()});
  std::ofstream(two.path()) << lines(5, 10);
  CHECK(data::data_digest(data.train) != before);
}
