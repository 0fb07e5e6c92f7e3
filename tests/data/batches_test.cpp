#include "runner/data/sets/batches.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <map>
#include <numeric>
#include <thread>

#include "runner/data/table/table.h"

using namespace knead;
using knead::data::Batches;

namespace {

constexpr std::uint64_t kRows = 23;

/// A set whose sample i is the number i.
data::Set numbers() {
  std::vector<std::byte> values(kRows * 8);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(kRows); ++i)
    std::memcpy(values.data() + i * 8, &i, 8);
  const std::vector<data::Table::Column> columns{{{"x", data::Dtype::int64, {}}, values}};
  return {std::make_shared<data::Table>(kRows, columns), data::Rows(0, kRows)};
}

/// What steps [first, end) read, one after another, and how long the user of a batch takes.
std::vector<std::int64_t> read(data::Reading reading, std::uint64_t first, std::uint64_t end,
                               bool shuffle, int microseconds_a_step = 0) {
  const data::Set set = numbers();
  std::map<std::size_t, std::vector<std::int64_t>> memory;
  Batches batches(set, {0}, plan::Windows(kRows, 5, false), plan::EpochOrder(kRows, 7, shuffle),
                  first, end, reading, [&](std::size_t slot, std::size_t) {
                    memory[slot].assign(5, -1);
                    return reinterpret_cast<std::byte*>(memory[slot].data());
                  });
  std::vector<std::int64_t> seen;
  for (std::uint64_t step = first; step < end; ++step) {
    const data::Batch& batch = batches.next();
    REQUIRE(batch.step == step);
    const auto& values = memory.at(batch.slot);
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds_a_step));
    for (std::size_t i = 0; i < batch.window.size; ++i) {
      REQUIRE(values[i] == static_cast<std::int64_t>(batch.samples[i]));
      seen.push_back(values[i]);
    }
  }
  return seen;
}

}  // namespace

TEST_CASE("without shuffling an epoch is the set in its order, the last step smaller") {
  std::vector<std::int64_t> epoch(kRows);
  std::iota(epoch.begin(), epoch.end(), 0);
  CHECK(read({0, 1}, 0, 5, false) == epoch);
}

TEST_CASE("a shuffled epoch holds every sample once, and the next has another order") {
  const auto two = read({0, 1}, 0, 10, true);
  std::vector<std::int64_t> first(two.begin(), two.begin() + kRows);
  std::vector<std::int64_t> second(two.begin() + kRows, two.end());
  CHECK(first != second);
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  std::vector<std::int64_t> all(kRows);
  std::iota(all.begin(), all.end(), 0);
  CHECK(first == all);
  CHECK(second == all);
}

TEST_CASE("threads, prefetch and where reading begins change nothing") {
  const auto expected = read({0, 1}, 0, 60, true);
  for (const std::int64_t workers : {1, 2, 3, 8}) {
    for (const std::int64_t prefetch : {1, 2, 4, 16}) {
      CAPTURE(workers, prefetch);
      CHECK(read({workers, prefetch}, 0, 60, true) == expected);
      const auto rest = read({workers, prefetch}, 7, 60, true);
      CHECK(rest ==
            std::vector(expected.end() - static_cast<std::ptrdiff_t>(rest.size()), expected.end()));
    }
  }
  CHECK(read({2, 4}, 0, 60, true, 200) == expected);  // threads that wait for room
}

TEST_CASE("a long run neither hangs nor loses a batch") {
  const auto expected = read({0, 1}, 0, 20000, true);
  CHECK(read({3, 2}, 0, 20000, true) == expected);
}

TEST_CASE("reading can be given up at any time") {
  for (int used = 0; used < 12; ++used) {
    const data::Set set = numbers();
    std::map<std::size_t, std::vector<std::int64_t>> memory;
    Batches batches(set, {0}, plan::Windows(kRows, 5, false), plan::EpochOrder(kRows, 7, true), 0,
                    1000, {3, 4}, [&](std::size_t slot, std::size_t) {
                      memory[slot].assign(5, -1);
                      return reinterpret_cast<std::byte*>(memory[slot].data());
                    });
    for (int i = 0; i < used; ++i) batches.next();
  }
  SUCCEED();
}
