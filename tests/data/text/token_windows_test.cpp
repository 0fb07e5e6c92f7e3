#include "runner/data/text/token_windows.h"

#include <numeric>
#include <set>

#include <catch2/catch.hpp>

#include "schema/document/error.h"

using namespace knead;
using data::TokenWindows;
using schema::Unit;
using Rows = std::optional<std::vector<schema::Quantity>>;
using Samples = std::vector<std::vector<std::int64_t>>;

namespace {

/// Token i of the stream is i.
std::shared_ptr<const data::TokenStream> counting(std::uint32_t count, std::uint64_t vocabulary) {
  auto stream = std::make_shared<data::TokensInMemory>("FILE", vocabulary);
  std::vector<std::uint32_t> tokens(count);
  std::iota(tokens.begin(), tokens.end(), 0);
  stream->append(tokens);
  return stream;
}

Samples read(const TokenWindows& windows, std::size_t field, std::uint64_t epoch,
             const std::vector<std::uint64_t>& rows) {
  const auto context = static_cast<std::size_t>(windows.fields()[field].shape.at(0));
  std::vector<std::int64_t> memory(rows.size() * context);
  windows.read(field, {rows, epoch, 0}, reinterpret_cast<std::byte*>(memory.data()));
  Samples samples;
  for (std::size_t i = 0; i < rows.size(); ++i)
    samples.emplace_back(memory.begin() + static_cast<std::ptrdiff_t>(i * context),
                         memory.begin() + static_cast<std::ptrdiff_t>((i + 1) * context));
  return samples;
}

data::TokenRange part(std::uint32_t tokens, const Rows& rows, std::uint64_t context) {
  return data::part_of(*counting(tokens, 256), rows, context, "data.train");
}

}  // namespace

TEST_CASE("windows lie one behind the other, targets one token further") {
  const TokenWindows windows(counting(11, 256), {0, 11}, {3, false, 0});
  REQUIRE(windows.rows() == 3);  // the eleventh token is no target of a fourth
  CHECK(windows.fields()[0].name == "tokens");
  CHECK(windows.fields()[1].name == "targets");
  CHECK(windows.fields()[1].bytes_per_sample() == 24);
  CHECK(read(windows, 0, 0, {2, 0}) == Samples{{6, 7, 8}, {0, 1, 2}});
  CHECK(read(windows, 1, 0, {2, 0}) == Samples{{7, 8, 9}, {1, 2, 3}});
  CHECK(TokenWindows(counting(10, 256), {0, 10}, {3, false, 0}).rows() == 3);
  CHECK(TokenWindows(counting(9, 256), {0, 9}, {3, false, 0}).rows() == 2);
}

TEST_CASE("tokens take as many bytes as the vocabulary needs, and come out the same") {
  for (const std::uint64_t vocabulary : {256ULL, 257ULL, 65536ULL, 65537ULL}) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(vocabulary, 70000));
    const auto stream = counting(count, vocabulary);
    std::vector<std::int64_t> last(2);
    stream->read(count - 2, last);
    CHECK(last == std::vector<std::int64_t>{count - 2, count - 1});
  }
}

TEST_CASE("random windows are a function of seed, epoch and row, and reach every place") {
  const TokenWindows windows(counting(50, 256), {10, 30}, {4, true, 7});
  CHECK(windows.rows() == 4);
  std::set<std::int64_t> begins;
  for (std::uint64_t epoch = 0; epoch < 100; ++epoch) {
    const Samples tokens = read(windows, 0, epoch, {0, 1, 2, 3});
    const Samples targets = read(windows, 1, epoch, {3, 2, 1, 0});
    for (std::size_t i = 0; i < 4; ++i) {
      begins.insert(tokens[i][0]);
      CHECK(targets[3 - i][0] == tokens[i][0] + 1);
      CHECK(tokens[i][3] == tokens[i][0] + 3);
    }
  }
  CHECK(*begins.begin() == 10);
  CHECK(*begins.rbegin() == 25);  // its last target is token 29
  CHECK(begins.size() == 16);
  const TokenWindows others(counting(50, 256), {10, 30}, {4, true, 8});
  CHECK(read(windows, 0, 0, {0, 1, 2, 3}) != read(others, 0, 0, {0, 1, 2, 3}));
}

TEST_CASE("shares are of tokens, row numbers of windows") {
  const auto range = [](const data::TokenRange& part) { return std::pair(part.begin, part.end); };
  CHECK(range(part(100, std::nullopt, 8)) == std::pair<std::uint64_t, std::uint64_t>(0, 100));
  CHECK(range(part(100, Rows{{{0, Unit::percent}, {90.5, Unit::percent}}}, 8)) ==
        std::pair<std::uint64_t, std::uint64_t>(0, 90));
  CHECK(range(part(100, Rows{{{90, Unit::percent}, {100, Unit::percent}}}, 8)) ==
        std::pair<std::uint64_t, std::uint64_t>(90, 100));
  CHECK(range(part(100, Rows{{{2, Unit::rows}, {4, Unit::rows}}}, 8)) ==
        std::pair<std::uint64_t, std::uint64_t>(16, 33));
}

TEST_CASE("a part that is not there or too small is refused") {
  CHECK_THROWS_WITH(part(100, Rows{{{2, Unit::rows}, {13, Unit::rows}}}, 8),
                    "data.train.rows names window 13, FILE has 12 of 8 tokens");
  CHECK_THROWS_WITH(part(8, std::nullopt, 8), "data.train has 8 tokens, a sample needs 9");
  CHECK_THROWS_WITH(part(100, Rows{{{95, Unit::percent}, {100, Unit::percent}}}, 8),
                    "data.train has 5 tokens, a sample needs 9");
  CHECK(part(9, std::nullopt, 8).end == 9);
}
