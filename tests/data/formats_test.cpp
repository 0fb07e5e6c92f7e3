// The digits in every format, through a recipe as users write it: the same batches, to the bit.

#include <cstdlib>
#include <map>

#include <catch2/catch.hpp>

#include "runner/data/sets/batches.h"
#include "runner/data/sets/sets.h"
#include "schema/load.h"
#include "tests/data/arrays/files.h"

using namespace knead;

namespace {

using Bytes = std::vector<std::byte>;

/// The folder that digits_as has written the digits to.
const std::filesystem::path& digits_folder() {
  static const tests::Folder folder;
  static const int status =
      std::system((std::string(KNEAD_BUILD "/digits_as " KNEAD_ROOT "/recipes/data/digits.csv ") +
                   folder.path().string())
                      .c_str());
  REQUIRE(status == 0);
  return folder.path();
}

/// recipes/digits.yaml with data.train as it is given, where AS stands for that folder.
recipe::Recipe digits(std::string train, std::vector<std::string> overrides = {}) {
  for (std::size_t at; (at = train.find("AS/")) != std::string::npos;)
    train.replace(at, 2, digits_folder().string());
  schema::World world = schema::this_world();
  world.home = KNEAD_ROOT;
  overrides.insert(overrides.begin(), "data.train=" + train);
  return schema::load("recipes/digits.yaml", overrides, world).recipe;
}

/// What `steps` steps from `first` on read of all fields.
std::vector<Bytes> read(const recipe::Recipe& recipe, data::Reading reading, std::uint64_t first,
                        std::uint64_t steps) {
  const data::Sets sets = data::read_sets(recipe.data, 3);
  const plan::Windows windows(sets.train.size(), 32, false);
  std::vector<std::size_t> fields;
  for (std::size_t i = 0; i < sets.train.fields().size(); ++i) fields.push_back(i);
  std::map<std::pair<std::size_t, std::size_t>, Bytes> memory;
  data::Batches batches(sets.train, fields, windows, sets.order, first, first + steps, reading,
                        [&](std::size_t slot, std::size_t field) {
                          Bytes& bytes = memory[{slot, field}];
                          bytes.resize(32 * sets.train.fields()[field].bytes_per_sample());
                          return bytes.data();
                        });
  std::vector<Bytes> seen;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const data::Batch& batch = batches.next();
    for (const std::size_t field : fields) {
      const Bytes& bytes = memory.at({batch.slot, field});
      const std::size_t used = batch.window.size * sets.train.fields()[field].bytes_per_sample();
      seen.emplace_back(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(used));
    }
  }
  return seen;
}

const std::string kWords =
    "categories: [zero, one, two, three, four, five, six, seven, eight, nine]";

const std::string kImages =
    "{type: images, path: AS/images, channels: 1, transforms: [{type: crop, size: 8, padding: 1}, "
    "flip, {type: rotate, degrees: 10}, {type: scale, factor: [0.9, 1.1]}, {type: shift, pixels: "
    "1}, {type: cutout, size: 2}, {type: noise, std: 0.05}, {type: normalize, mean: 0.3, std: "
    "0.4}]}";

const std::vector<std::string> kOfImages{"data.validation={like: train, hold_out: 297 samples}",
                                         "loss.target=label", "data.sampler={balanced: label}"};

}  // namespace

TEST_CASE("digits are the same in every format, to the bit") {
  const std::string rows = ", rows: [0, 1500]}";
  const auto csv = read(digits("{type: csv, path: recipes/data/digits.csv, fields: {pixels: "
                               "{columns: '0:64', scale: 0.0625}, digit: {columns: 64, dtype: "
                               "int64}}" +
                               rows),
                        {0, 1}, 0, 50);
  const std::string others[] = {
      "{type: csv, path: AS/words.csv, delimiter: ';', fields: {pixels: {columns: '0:64', scale: "
      "0.0625}, digit: {columns: 64, " +
          kWords + "}}" + rows,
      "{type: npy, fields: {pixels: {path: AS/x.npy, scale: 0.0625}, digit: AS/y.npy}" + rows,
      "{type: npz, path: AS/xy.npz, fields: {pixels: {key: x, scale: 0.0625}, digit: y}" + rows,
      "{type: idx, fields: {pixels: {path: AS/x.idx.gz, scale: 0.0625, shape: [64]}, digit: "
      "AS/y.idx}" +
          rows,
      "{type: safetensors, path: AS/xy.safetensors, fields: {pixels: {scale: 0.0625}, digit: {}}" +
          rows,
      "{type: jsonl, path: AS/xy.jsonl, fields: {pixels: ink.on, digit: {" + kWords + "}}" + rows};
  for (const std::string& other : others) {
    CAPTURE(other);
    CHECK((read(digits(other), {0, 1}, 0, 50) == csv));
  }
}

TEST_CASE(
    "augmented and sampled images do not depend on threads, prefetch or where reading begins") {
  const recipe::Recipe recipe = digits(kImages, kOfImages);
  const std::size_t fields = 2;
  const auto expected = read(recipe, {0, 1}, 0, 60);
  for (const std::int64_t workers : {1, 2, 3, 8}) {
    for (const std::int64_t prefetch : {1, 4}) {
      CAPTURE(workers, prefetch);
      CHECK((read(recipe, {workers, prefetch}, 0, 60) == expected));
    }
  }
  for (const std::uint64_t first : {1, 7, 46, 47, 59}) {
    CAPTURE(first);
    const auto rest = read(recipe, {2, 4}, first, 60 - first);
    CHECK(
        (rest == std::vector<Bytes>(expected.begin() + static_cast<std::ptrdiff_t>(first * fields),
                                    expected.end())));
  }
}

TEST_CASE("what is evaluated has the transforms of training, without what is random") {
  recipe::Recipe recipe = digits(kImages, kOfImages);
  const data::Sets sets = data::read_sets(recipe.data, 3);
  REQUIRE(sets.validation->size() == 297);
  CHECK(sets.validation->fields()[0].shape == std::vector<std::int64_t>{1, 8, 8});
  std::vector<float> first(64);
  std::vector<float> later(64);
  const std::uint64_t row = sets.validation->rows()[5];
  const std::span<const std::uint64_t> rows(&row, 1);
  sets.validation->source().read(0, {rows, 0, 0}, reinterpret_cast<std::byte*>(first.data()));
  sets.validation->source().read(0, {rows, 9, 77}, reinterpret_cast<std::byte*>(later.data()));
  CHECK(first == later);
  sets.train.source().read(0, {rows, 9, 77}, reinterpret_cast<std::byte*>(later.data()));
  CHECK(first != later);
}
