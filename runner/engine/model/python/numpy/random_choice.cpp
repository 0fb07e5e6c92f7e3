#include <algorithm>
#include <cmath>

#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/searchsorted.h>
#include <ATen/ops/tensor.h>

#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/random_state.h"

namespace knead::engine::model::numpy {

namespace {

/// Returns the sums of shares up to each one; the last is 1.
at::Tensor cumulated(const at::Tensor& shares) {
  at::Tensor sums = shares.clone();
  double* to = sums.mutable_data_ptr<double>();
  for (std::int64_t i = 1; i < sums.numel(); ++i) to[i] += to[i - 1];
  return sums.div(to[sums.numel() - 1]);
}

at::Tensor places_in(const at::Tensor& sums, const at::Tensor& draws) {
  return at::searchsorted(sums, draws, /*out_int32=*/false, /*right=*/true);
}

at::Tensor draws_of(MersenneTwister& generator, std::int64_t count) {
  at::Tensor made = at::empty({count}, at::kDouble);
  for (std::int64_t i = 0; i < count; ++i) {
    made.mutable_data_ptr<double>()[i] = generator.draw_double();
  }
  return made;
}

/// Chooses different places with shares: what is drawn twice is drawn again, without what is there.
at::Tensor different_places(MersenneTwister& generator, at::Tensor shares, std::int64_t count) {
  if (shares.gt(0).sum().item<std::int64_t>() < count) {
    throw Mistake::of("ValueError", "Fewer non-zero entries in p than size");
  }
  std::vector<std::int64_t> found;
  shares = shares.clone();
  while (static_cast<std::int64_t>(found.size()) < count) {
    const at::Tensor draws = draws_of(generator, count - static_cast<std::int64_t>(found.size()));
    for (const std::int64_t place : found) shares.mutable_data_ptr<double>()[place] = 0;
    const at::Tensor places = places_in(cumulated(shares), draws);
    for (std::int64_t i = 0; i < places.numel(); ++i) {
      const auto place = places.const_data_ptr<std::int64_t>()[i];
      if (std::find(found.begin(), found.end(), place) == found.end()) found.push_back(place);
    }
  }
  return at::tensor(found, at::kLong);
}

at::Tensor chosen_places(Evaluator& evaluator, MersenneTwister& generator, std::int64_t among,
                         std::int64_t count, bool may_repeat, const Value& shares_of) {
  if (!may_repeat && count > among) {
    throw Mistake::of("ValueError",
                      "Cannot take a larger sample than population when 'replace=False'");
  }
  if (is_none(shares_of)) {
    if (!may_repeat) return shuffled_places(evaluator, generator, among).slice(0, 0, count);
    at::Tensor places = at::empty({count}, at::kLong);
    for (std::int64_t i = 0; i < count; ++i) {
      places.mutable_data_ptr<std::int64_t>()[i] =
          static_cast<std::int64_t>(generator.draw_up_to(static_cast<std::uint64_t>(among - 1)));
    }
    return places;
  }
  const at::Tensor shares = array_of(evaluator, shares_of, at::kDouble).contiguous();
  if (shares.dim() != 1 || shares.size(0) != among) {
    throw Mistake::of("ValueError", "'a' and 'p' must have same size");
  }
  if (std::abs(shares.sum().item<double>() - 1.0) > 1e-8) {
    throw Mistake::of("ValueError", "probabilities do not sum to 1");
  }
  return may_repeat ? places_in(cumulated(shares), draws_of(generator, count))
                    : different_places(generator, shares, count);
}

}  // namespace

Value choice(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("choice", arguments, {"self", "a", "size", "replace", "p"}, 2);
  MersenneTwister& generator = generator_of(bound[0]);
  std::optional<at::Tensor> among;
  if (!is_integer(bound[1])) among = array_of(evaluator, bound[1]);
  const std::int64_t population = among ? among->size(0) : integer_of(bound[1]);
  if (population <= 0)
    throw Mistake::of("ValueError",
                      "a must be greater than 0 unless no samples "
                      "are taken");
  const bool is_one = is_none(bound.or_none(2));
  const auto sizes = is_one ? std::vector<std::int64_t>{} : to_sizes(evaluator, bound[2]);
  spend_array(evaluator, sizes);
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  const at::Tensor places =
      chosen_places(evaluator, generator, population, count, bound.flag(3, true), bound.or_none(4))
          .reshape(sizes);
  if (among) return result_of(at::index_select(*among, 0, places.reshape({-1})).reshape(sizes));
  return is_one ? plain(result_of(places)) : make_array(places);
}

}  // namespace knead::engine::model::numpy
