#include "runner/data/transforms/transformed_source.h"

#include <set>

#include <catch2/catch.hpp>

#include "runner/data/table/table.h"
#include "schema/document/error.h"

using namespace knead;
using data::Dtype;
using data::Field;
using data::TransformedSource;

namespace {

using Floats = std::vector<float>;

/// Four images of 1 × 4 × 4, whose numbers are 100 × row + place, and their classes.
std::shared_ptr<const data::Source> images() {
  data::Table::Column image{{"image", Dtype::float32, {1, 4, 4}}, {}};
  data::Table::Column label{{"label", Dtype::int64, {}}, {}};
  for (std::int64_t row = 0; row < 4; ++row) {
    for (int i = 0; i < 16; ++i) {
      const auto value = static_cast<float>(100 * row + i);
      const auto* bytes = reinterpret_cast<const std::byte*>(&value);
      image.values.insert(image.values.end(), bytes, bytes + sizeof value);
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(&row);
    label.values.insert(label.values.end(), bytes, bytes + sizeof row);
  }
  return std::make_shared<const data::Table>(
      4, std::vector<data::Table::Column>{std::move(image), std::move(label)});
}

recipe::Crop crop(std::vector<std::int64_t> size, std::int64_t padding,
                  recipe::Crop::At at = recipe::Crop::At::random) {
  recipe::Crop out;
  out.size = std::move(size);
  out.padding = padding;
  out.at = at;
  return out;
}

recipe::Flip flip(double probability) {
  recipe::Flip out;
  out.direction = recipe::Flip::Direction::horizontal;
  out.probability = probability;
  return out;
}

recipe::Normalize normalize(std::vector<double> mean, std::vector<double> deviation) {
  recipe::Normalize out;
  out.mean = std::move(mean);
  out.std = std::move(deviation);
  return out;
}

TransformedSource made(std::vector<recipe::Transform> transforms, bool is_training = true,
                       std::uint64_t seed = 0) {
  return {images(), std::move(transforms), seed, is_training, "data.train.transforms"};
}

Floats read(const data::Source& source, const std::vector<std::uint64_t>& rows,
            std::uint64_t epoch = 0, std::uint64_t first = 0, std::size_t field = 0) {
  Floats out(rows.size() * source.fields()[field].bytes_per_sample() / sizeof(float));
  source.read(field, {rows, epoch, first}, reinterpret_cast<std::byte*>(out.data()));
  return out;
}

std::string why_not(std::vector<recipe::Transform> transforms) {
  try {
    made(std::move(transforms));
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "";
}

}  // namespace

TEST_CASE("transforms say beforehand what they make of a field") {
  recipe::OneHot one_hot;
  one_hot.classes = 4;
  const TransformedSource source = made({crop({3, 2}, 1), normalize({0.5}, {2}), one_hot});
  CHECK(source.fields()[0].shape == std::vector<std::int64_t>{1, 3, 2});
  CHECK(source.fields()[1].shape == std::vector<std::int64_t>{4});
  CHECK(source.fields()[1].dtype == Dtype::float32);
  CHECK(read(source, {2, 0}, 0, 0, 1) == Floats{0, 0, 1, 0, 1, 0, 0, 0});
}

TEST_CASE("normalize subtracts and divides in float32, as torchvision does") {
  const TransformedSource source = made({normalize({0.3}, {0.7})});
  const Floats values = read(source, {1});
  for (std::size_t i = 0; i < 16; ++i)
    CHECK(values[i] == (static_cast<float>(100 + i) - 0.3F) / 0.7F);
}

TEST_CASE("random transforms differ by epoch and place, and are the same however they are read") {
  recipe::Noise noise;
  noise.std = 1;
  recipe::Cutout cutout;
  cutout.size = {2};
  const std::vector<recipe::Transform> all{crop({4}, 2), flip(0.5), cutout, noise};
  const TransformedSource source = made(all);
  const std::vector<std::uint64_t> rows{3, 1, 1, 0};
  const Floats together = read(source, rows, 5, 10);
  Floats apart;
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    const Floats one = read(source, {rows[i]}, 5, 10 + i);
    apart.insert(apart.end(), one.begin(), one.end());
  }
  CHECK(together == apart);
  CHECK(read(source, rows, 5, 10) == together);
  CHECK(read(source, rows, 6, 10) != together);
  CHECK(read(source, rows, 5, 11) != together);
  CHECK(read(made(all, true, 1), rows, 5, 10) != together);
  // The row that is there twice does not look the same twice.
  CHECK(Floats(together.begin() + 16, together.begin() + 32) !=
        Floats(together.begin() + 32, together.begin() + 48));
}

TEST_CASE("an evaluation takes the middle of a crop, and leaves out what else is random") {
  recipe::Noise noise;
  noise.std = 1;
  recipe::Shift shift;
  shift.pixels = {2};
  recipe::Rotate rotate;
  rotate.degrees = 90;
  recipe::Rescale rescale;
  rescale.factor = {0.5, 2};
  const TransformedSource source =
      made({crop({2}, 0), flip(1), noise, shift, rotate, rescale}, false);
  CHECK(read(source, {0}) == Floats{5, 6, 9, 10});
  CHECK(read(made({crop({2}, 0, recipe::Crop::At::center)}), {0}) == Floats{5, 6, 9, 10});
}

TEST_CASE("flip happens as often as it says") {
  const TransformedSource source = made({flip(0.25)});
  int flips = 0;
  for (std::uint64_t place = 0; place < 4000; ++place)
    flips += read(source, {0}, 0, place)[0] == 3 ? 1 : 0;
  CHECK(flips == Approx(1000).margin(100));
}

TEST_CASE("every place of a crop comes up") {
  std::set<float> seen;
  const TransformedSource source = made({crop({2}, 0)});
  for (std::uint64_t place = 0; place < 200; ++place) seen.insert(read(source, {0}, 0, place)[0]);
  CHECK(seen == std::set<float>{0, 1, 2, 4, 5, 6, 8, 9, 10});
}

TEST_CASE("transforms that do not fit are refused by their place and name") {
  recipe::Flip misspelt = flip(1);
  misspelt.field = {{"picture"}};
  recipe::Flip of_label = flip(1);
  of_label.field = {{"label"}};
  recipe::ToDtype to;
  to.dtype = recipe::ToDtype::Dtype::int64;
  CHECK(
      why_not({misspelt}) ==
      "data.train.transforms.0 (flip): there is no field 'picture' | the fields are: image, label");
  CHECK(why_not({of_label}) ==
        "data.train.transforms.0 (flip): 'label' is no image, but one number | ");
  CHECK(why_not({crop({4}, 0), crop({6}, 0)}) ==
        "data.train.transforms.1 (crop): 6 × 6 is larger than 'image', 4 × 4 with its padding | ");
  CHECK(why_not({normalize({1, 2}, {1})}) ==
        "data.train.transforms.0 (normalize): 2 channels are normalized, 'image' is (1, 4, 4) | ");
  CHECK(why_not({to}) ==
        "data.train.transforms.0 (to) fits several of the fields | write field, one or several "
        "of: image, label");
}

TEST_CASE("a class beyond the classes is refused with its sample") {
  recipe::OneHot one_hot;
  one_hot.classes = 3;
  const TransformedSource source = made({one_hot});
  CHECK_THROWS_WITH(read(source, {0, 3}, 0, 0, 1),
                    "data.train.transforms.0 (one_hot), sample 3: 'label' has the class 3, one_hot "
                    "3 classes");
}
