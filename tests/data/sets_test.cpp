#include "runner/data/sets/sets.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include <catch2/catch.hpp>

#include "runner/data/source/share.h"
#include "schema/document/error.h"
#include "schema/load.h"

using namespace knead;

namespace {

/// The sets of recipes/digits.yaml with some arguments.
data::Sets digits(const std::vector<std::string>& overrides, std::uint64_t seed = 0,
                  data::Augmentation augmentation = data::Augmentation::drawn) {
  schema::World world = schema::this_world();
  world.home = KNEAD_ROOT;
  return data::read_sets(schema::load("recipes/digits.yaml", overrides, world).recipe.data, seed,
                         augmentation);
}

std::vector<std::uint64_t> listed(const data::Rows& rows) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 0; i < rows.size(); ++i) out.push_back(rows[i]);
  return out;
}

}  // namespace

TEST_CASE("the digits are 1,500 to train on and 297 to validate, in the file's order") {
  const data::Sets sets = digits({});
  REQUIRE(sets.train.size() == 1500);
  REQUIRE(sets.validation->size() == 297);
  CHECK(sets.train.rows()[0] == 0);
  CHECK(sets.validation->rows()[0] == 1500);

  const data::Field& pixels = sets.train.fields()[0];
  CHECK(pixels.bytes_per_sample() == 64 * sizeof(float));
  const std::uint64_t samples[] = {1, 0};  // rows too, as the set begins with row 0
  float images[2][64];
  std::int64_t classes[2];
  const data::Request request{samples};
  sets.train.source().read(0, request, reinterpret_cast<std::byte*>(images));
  sets.train.source().read(1, request, reinterpret_cast<std::byte*>(classes));
  CHECK(images[1][2] == 5 / 16.0F);  // the file begins 0,0,5,13,9,1
  CHECK(images[0][3] == 12 / 16.0F);
  CHECK(classes[0] == 1);
  CHECK(classes[1] == 0);
}

TEST_CASE("random transforms are left out where the training set is evaluated") {
  const auto pixels_of = [](const data::Sets& sets) {
    const std::uint64_t first[] = {0};
    std::vector<float> pixels(64);
    sets.train.source().read(0, {first}, reinterpret_cast<std::byte*>(pixels.data()));
    return pixels;
  };
  const std::vector<float> plain = pixels_of(digits({}));
  const std::vector<std::string> noise{
      "data.train.transforms=[{type: noise, field: pixels, std: 1}]"};
  CHECK(pixels_of(digits(noise)) != plain);
  CHECK(pixels_of(digits(noise, 0, data::Augmentation::left_out)) == plain);
}

TEST_CASE("shares of rows are rounded down, and cover a file without a gap") {
  const data::Sets sets = digits({"data.train.rows=[0%, 90%]", "data.validation.rows=[90%, 100%]"});
  CHECK(sets.train.size() == 1617);
  CHECK(sets.validation->size() == 180);
}

TEST_CASE("a share that is a whole number of rows is that number") {
  for (std::uint64_t percent = 0; percent <= 100; ++percent)
    CHECK(data::share_of(static_cast<double>(percent), 100) == percent);
  CHECK(data::share_of(8.2, 1000) == 82);
  CHECK(data::share_of(16.4, 1000) == 164);
  CHECK(data::share_of(0.1, 100'000'000'000) == 100'000'000);
  CHECK(data::share_of(33.3, 100) == 33);
  CHECK(data::share_of(99.99, 100) == 99);
}

TEST_CASE("two sets that hold rows out of one both take their share of the whole") {
  const data::Sets sets =
      digits({"data.train.rows=[0, 1000]", "data.validation={like: train, hold_out: 10%}",
              "data.test={like: train, hold_out: 10%}"});
  CHECK(sets.train.size() == 800);
  CHECK(sets.validation->size() == 100);
  CHECK(sets.test->size() == 100);
  CHECK_THROWS_WITH(
      digits({"data.train.rows=[0, 1000]", "data.validation={like: train, hold_out: 50%}",
              "data.test={like: train, hold_out: 50%}"}),
      "hold_out takes 500 of 500 rows and leaves none");
}

TEST_CASE("what is held out is left out of the other, drawn by the seed") {
  const std::vector<std::string> overrides{"data.train.rows=[0, 1000]",
                                           "data.validation={like: train, hold_out: 10%}"};
  const data::Sets sets = digits(overrides);
  CHECK(sets.train.size() == 900);
  CHECK(sets.validation->size() == 100);
  const std::vector<std::uint64_t> kept = listed(sets.train.rows());
  const std::vector<std::uint64_t> held = listed(sets.validation->rows());
  std::set<std::uint64_t> all(kept.begin(), kept.end());
  all.insert(held.begin(), held.end());
  CHECK(all.size() == 1000);
  CHECK(*all.rbegin() == 999);
  CHECK(std::is_sorted(kept.begin(), kept.end()));

  CHECK(digits(overrides).validation->rows() == sets.validation->rows());
  CHECK_FALSE(digits(overrides, 1).validation->rows() == sets.validation->rows());
  CHECK(digits({"data.validation={like: train, hold_out: 100 samples}"}).validation->size() == 100);
}

TEST_CASE("sets that cannot be are refused") {
  CHECK_THROWS_WITH(
      digits({"data.validation.rows=[1500, 1798]"}),
      Catch::Contains("data.validation.rows ends at 1798") && Catch::Contains("has 1797 rows"));
  CHECK_THROWS_WITH(digits({"data.train.rows=[0%, 0.01%]", "batch=1"}), "data.train has no rows");
  CHECK_THROWS_WITH(digits({"data.train.path=nothing.csv"}), Catch::Contains("nothing.csv"));
}

TEST_CASE("what is held out comes from the same files") {
  const auto other = std::filesystem::temp_directory_path() / "knead_other_rows.csv";
  std::string row = "1";
  for (int column = 1; column < 65; ++column) row += ",1";
  std::ofstream(other) << row << '\n' << row << '\n';
  CHECK_THROWS_WITH(
      digits({"data.train.rows=null", "data.validation.path=" + other.string(),
              "data.validation.rows=null", "data.validation.hold_out=10%"}),
      "data.validation is to hold out rows of data.train, but has 2 rows and not 1797");
  std::filesystem::remove(other);
}

TEST_CASE("rows are a range until some are held out, and compare as such") {
  CHECK(data::Rows(3, 5)[1] == 4);
  CHECK(data::Rows(3, 5) == data::Rows(3, 5));
  CHECK(data::Rows(std::vector<std::uint64_t>{7, 9})[1] == 9);
  CHECK_FALSE(data::Rows(3, 5) == data::Rows(3, 6));
}
