#include "runner/data/sets/sampler.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "runner/data/arrays/convert.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Returns the index of a field of one number. Throws knead::Error if there is none of that name.
std::size_t place_of(const Set& set, const std::string& name, std::string_view key) {
  std::size_t place = 0;
  while (place < set.fields().size() && set.fields()[place].name != name) ++place;
  if (place == set.fields().size()) {
    throw Error(fmt::format("the data has no field '{}', {}", name, key),
                "name one of the fields of data.train", Exit::invalid_recipe);
  }
  const Field& field = set.fields()[place];
  if (field.bytes_per_sample() != bytes_of(field.dtype)) {
    throw Error(
        fmt::format("{}: '{}' is {}, and not one number", key, name, shape_words(field.shape)),
        "name a field with one number for each sample", Exit::invalid_recipe);
  }
  return place;
}

/// Returns the values of a field of one number for all samples of a set.
std::vector<double> numbers_of(const Set& set, std::size_t place) {
  // Bounds the memory for a large set; a call for each sample would cost more than reading it.
  constexpr std::uint64_t kAtOnce = 4096;
  const Field& field = set.fields()[place];
  const std::size_t bytes = bytes_of(field.dtype);
  std::vector<double> out;
  std::vector<std::uint64_t> samples;
  std::vector<std::uint64_t> rows;
  std::vector<std::byte> values(kAtOnce * bytes);
  for (std::uint64_t begin = 0; begin < set.size(); begin += kAtOnce) {
    samples.resize(std::min(kAtOnce, set.size() - begin));
    std::iota(samples.begin(), samples.end(), begin);
    set.find_rows(samples, rows);
    set.source().read(place, {rows}, values.data());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto* at = reinterpret_cast<const char*>(values.data() + i * bytes);
      out.push_back(number_at(stored_as(field.dtype), false, at));
    }
  }
  return out;
}

/// Throws knead::Error if a weight is negative, infinite or NaN, or if all are 0.
std::vector<double> checked(std::vector<double> weights, const std::string& name) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] >= 0 && std::isfinite(weights[i])) continue;
    throw Error(fmt::format("data.sampler.weights: '{}' of sample {} of data.train is {}", name, i,
                            weights[i]),
                "a weight is a number from 0 on");
  }
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0; })) {
    throw Error(fmt::format("data.sampler.weights: '{}' is 0 in all samples", name),
                "nothing could be drawn");
  }
  return weights;
}

}  // namespace

std::vector<double> sampling_weights(const Set& set, const recipe::Sampler& sampler) {
  if (sampler.weights) {
    const std::size_t place = place_of(set, *sampler.weights, "data.sampler.weights");
    return checked(numbers_of(set, place), *sampler.weights);
  }
  const std::string& name = sampler.balanced.value();
  std::vector<double> numbers = numbers_of(set, place_of(set, name, "data.sampler.balanced"));
  std::map<double, std::uint64_t> counts;
  for (const double number : numbers) ++counts[number];
  // The weights of all samples with one value add up to 1, so that each value is equally likely.
  for (double& number : numbers) number = 1 / static_cast<double>(counts[number]);
  return numbers;
}

}  // namespace knead::data
