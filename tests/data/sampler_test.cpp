#include "runner/data/sets/sampler.h"

#include <cstring>

#include <catch2/catch.hpp>

#include "runner/data/table/table.h"
#include "schema/document/error.h"

using namespace knead;

namespace {

template <class T>
data::Table::Column column(const std::string& name, data::Dtype dtype, const std::vector<T>& values,
                           std::vector<std::int64_t> shape = {}) {
  data::Table::Column out{{name, dtype, std::move(shape)}, {}};
  out.values.resize(values.size() * sizeof(T));
  std::memcpy(out.values.data(), values.data(), out.values.size());
  return out;
}

/// Four samples, of rows 3, 1, 2 and 0.
data::Set four() {
  std::vector<data::Table::Column> columns;
  columns.push_back(column<std::int64_t>("label", data::Dtype::int64, {5, 5, 5, 9}));
  columns.push_back(column<float>("weight", data::Dtype::float32, {0.5F, 0, 2, 1}));
  columns.push_back(column<float>("bad", data::Dtype::float32, {1, 1, -1, 1}));
  columns.push_back(column<float>("none", data::Dtype::float32, {0, 0, 0, 0}));
  columns.push_back(column<float>("pair", data::Dtype::float32, std::vector<float>(8), {2}));
  return {std::make_shared<const data::Table>(4, std::move(columns)),
          data::Rows(std::vector<std::uint64_t>{3, 1, 2, 0})};
}

recipe::Sampler by(const std::string& field) {
  recipe::Sampler out;
  out.weights = field;
  return out;
}

std::string why_not(const std::string& field) {
  try {
    data::sampling_weights(four(), by(field));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("samples weigh what their field says, or so that all values weigh the same") {
  CHECK(data::sampling_weights(four(), by("weight")) == std::vector<double>{1, 0, 2, 0.5});
  recipe::Sampler balanced;
  balanced.balanced = "label";
  const double third = 1.0 / 3;
  CHECK(data::sampling_weights(four(), balanced) == std::vector<double>{1, third, third, third});
}

TEST_CASE("weights that cannot be drawn by are refused") {
  CHECK(why_not("bad") == "data.sampler.weights: 'bad' of sample 2 of data.train is -1");
  CHECK(why_not("none") == "data.sampler.weights: 'none' is 0 in all samples");
  CHECK(why_not("pair") == "data.sampler.weights: 'pair' is (2), and not one number");
  CHECK(why_not("wait") == "the data has no field 'wait', data.sampler.weights");
}
