#include <cmath>

#include <fmt/format.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/functions.h"

namespace knead::engine::model::numpy {

namespace {

/// Implements np.array, which copies, and np.asarray, which shares.
template <bool copies>
Value array_from(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("array", arguments,
                             {"object", "dtype", "*copy", "*order", "*subok", "*ndmin"}, 1);
  at::Tensor numbers = array_of(evaluator, bound[0], to_array_type(bound.or_none(1)));
  const bool wanted = bound.flag(2, copies);
  const bool is_shared = as<Array>(bound[0]) || is_tensor(bound[0]);
  if (wanted && is_shared) numbers = numbers.clone(at::MemoryFormat::Contiguous);
  const std::int64_t least = bound.has(5) ? to_integer(bound[5]) : 0;
  while (numbers.dim() < least) numbers = numbers.unsqueeze(0);
  const bool is_same =
      !wanted && as<Array>(bound[0]) && numbers.is_same((*as<Array>(bound[0]))->numbers);
  return is_same ? bound[0] : make_array(numbers);
}

c10::ScalarType type_or(const Value& dtype, c10::ScalarType otherwise) {
  return to_array_type(dtype).value_or(otherwise);
}

/// Implements zeros, ones and empty, whose numbers are 0 here.
template <int number>
Value constant_array(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("zeros", arguments, {"shape", "dtype", "order"}, 1);
  const auto sizes = to_sizes(evaluator, bound[0]);
  spend_array(evaluator, sizes);
  return make_array(at::full(sizes, number, type_or(bound.or_none(1), at::kDouble)));
}

/// Implements zeros_like and its like.
template <int number>
Value constant_like(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("zeros_like", arguments, {"a", "dtype", "order", "subok", "shape"}, 1);
  const at::Tensor like = array_of(evaluator, bound[0]);
  const auto sizes = bound.has(4) ? to_sizes(evaluator, bound[4]) : like.sizes().vec();
  spend_array(evaluator, sizes);
  return make_array(at::full(sizes, number, type_or(bound.or_none(1), like.scalar_type())));
}

Value filled(Evaluator& evaluator, const std::vector<std::int64_t>& sizes, const Value& value,
             std::optional<c10::ScalarType> type) {
  spend_array(evaluator, sizes);
  const at::Tensor number = array_of(evaluator, value, type);
  if (number.dim() > static_cast<std::int64_t>(sizes.size())) {
    throw Mistake::of("ValueError",
                      fmt::format("could not broadcast input array from shape {} into "
                                  "shape {}",
                                  shape_text(number.sizes()), shape_text(sizes)));
  }
  return make_array(number.expand(sizes).clone(at::MemoryFormat::Contiguous));
}

Value full(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("full", arguments, {"shape", "fill_value", "dtype"}, 2);
  return filled(evaluator, to_sizes(evaluator, bound[0]), bound[1],
                to_array_type(bound.or_none(2)));
}

Value full_like(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("full_like", arguments, {"a", "fill_value", "dtype"}, 2);
  const at::Tensor like = array_of(evaluator, bound[0]);
  return filled(evaluator, like.sizes().vec(), bound[1],
                type_or(bound.or_none(2), like.scalar_type()));
}

Value eye(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("eye", arguments, {"N", "M", "k", "dtype"}, 1);
  const std::int64_t rows = to_integer(bound[0]);
  const std::int64_t columns = is_none(bound.or_none(1)) ? rows : to_integer(bound[1]);
  const std::int64_t k = bound.has(2) ? to_integer(bound[2]) : 0;
  spend_array(evaluator, {rows, columns});
  at::Tensor made = at::zeros({rows, columns}, type_or(bound.or_none(3), at::kDouble));
  if (k < columns && -k < rows) made.diagonal(k).fill_(1);
  return make_array(made);
}

Value identity(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("identity", arguments, {"n", "dtype"}, 1);
  const std::int64_t n = to_integer(bound[0]);
  spend_array(evaluator, {n, n});
  return make_array(at::eye(n, type_or(bound.or_none(1), at::kDouble)));
}

/// Fills a range of floats: start + i * (start + step - start), as NumPy computes it.
template <typename Number>
at::Tensor float_range(double start, double step, std::int64_t count, c10::ScalarType type) {
  at::Tensor made = at::empty({count}, type);
  auto* to = made.mutable_data_ptr<Number>();
  const auto first = static_cast<Number>(start);
  const auto delta = static_cast<Number>(static_cast<Number>(start + step) - first);
  for (std::int64_t i = 0; i < count; ++i) to[i] = first + static_cast<Number>(i) * delta;
  if (count > 1) to[1] = static_cast<Number>(start + step);
  return made;
}

Value arange(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("arange", arguments, {"start", "stop", "step", "dtype"}, 1);
  Value start = make_integer(0);
  Value stop = bound[0];
  if (!is_none(bound.or_none(1))) start = bound[0], stop = bound[1];
  const Value step = is_none(bound.or_none(2)) ? make_integer(1) : bound[2];
  std::vector<Operand> operands;
  for (const Value* part : std::initializer_list<const Value*>{&start, &stop, &step}) {
    operands.push_back(operand_of(evaluator, *part));
    if (operands.back().numbers.dim() != 0) throw Mistake("arange() takes numbers");
  }
  const c10::ScalarType type = type_or(bound.or_none(3), result_type(operands));
  const auto number = [&](std::size_t i) { return operands[i].numbers.item<double>(); };
  if (number(2) == 0) throw Mistake::of("ValueError", "Maximum allowed size exceeded");
  const double exact = std::ceil((number(1) - number(0)) / number(2));
  const double items = std::max(exact, 0.0);
  if (!(items < 9e15)) throw Mistake::of("ValueError", "Maximum allowed size exceeded");
  const auto count = static_cast<std::int64_t>(items);
  spend_array(evaluator, {count});
  if (!is_whole(type)) {
    if (type == at::kDouble)
      return make_array(float_range<double>(number(0), number(2), count, type));
    const at::Tensor made = float_range<float>(number(0), number(2), count, at::kFloat);
    return make_array(made.to(type));
  }
  // Like C, a dtype of whole numbers cuts off the fraction of the first two items.
  at::Tensor made = at::empty({count}, at::kLong);
  auto* to = made.mutable_data_ptr<std::int64_t>();
  const auto first = operands[0].numbers.to(at::kLong).item<std::int64_t>();
  const bool is_exact =
      is_whole(operands[0].numbers.scalar_type()) && is_whole(operands[2].numbers.scalar_type());
  const auto delta = is_exact ? operands[2].numbers.item<std::int64_t>()
                              : static_cast<std::int64_t>(number(0) + number(2)) - first;
  for (std::int64_t i = 0; i < count; ++i) to[i] = first + i * delta;
  return make_array(made.to(type));
}

/// Returns evenly spaced numbers, computed as NumPy does: i * step + start.
at::Tensor spaced(double start, double stop, std::int64_t count, bool has_end) {
  at::Tensor made = at::empty({count}, at::kDouble);
  double* to = made.mutable_data_ptr<double>();
  const std::int64_t parts = has_end ? count - 1 : count;
  const double delta = stop - start;
  const double step = parts > 0 ? delta / static_cast<double>(parts) : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<double>(i);
    if (parts <= 0) {
      to[i] = place * delta + start;
    } else if (step == 0) {
      to[i] = place / static_cast<double>(parts) * delta + start;
    } else {
      to[i] = place * step + start;
    }
  }
  if (has_end && count > 1) to[count - 1] = stop;
  return made;
}

struct Spacing {
  at::Tensor numbers;
  double step = 0;
  c10::ScalarType type = c10::ScalarType::Double;
};

Spacing spacing_of(Evaluator& evaluator, const BoundArguments& bound, std::size_t dtype) {
  std::vector<Operand> ends{operand_of(evaluator, bound[0]), operand_of(evaluator, bound[1])};
  for (Operand& end : ends) {
    if (end.numbers.dim() != 0) {
      throw Mistake("linspace() of arrays is not available to models", "give it two numbers");
    }
  }
  const std::int64_t count = bound.has(2) ? to_integer(bound[2]) : 50;
  if (count < 0) {
    throw Mistake::of("ValueError",
                      fmt::format("Number of samples, {}, must be non-negative.", count));
  }
  spend_array(evaluator, {count});
  const bool has_end = bound.flag(3, true);
  const double start = ends[0].numbers.item<double>();
  const double stop = ends[1].numbers.item<double>();
  ends.push_back({at::full({}, static_cast<double>(count), at::kDouble), true});
  const std::int64_t parts = has_end ? count - 1 : count;
  Spacing made{.numbers = spaced(start, stop, count, has_end)};
  made.step = parts > 0 ? (stop - start) / static_cast<double>(parts)
                        : std::numeric_limits<double>::quiet_NaN();
  made.type = type_or(bound.or_none(dtype), result_type(ends));
  return made;
}

Value linspace(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("linspace", arguments,
                             {"start", "stop", "num", "endpoint", "retstep", "dtype"}, 2);
  const Spacing made = spacing_of(evaluator, bound, 5);
  const at::Tensor rounded = is_whole(made.type) ? made.numbers.floor() : made.numbers;
  const Value numbers = make_array(rounded.to(made.type));
  if (!bound.flag(4, false)) return numbers;
  return make_tuple({numbers, ArrayScalar{at::kDouble, made.step}});
}

Value logspace(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("logspace", arguments,
                             {"start", "stop", "num", "endpoint", "base", "dtype"}, 2);
  const Spacing made = spacing_of(evaluator, bound, 5);
  const double base = bound.has(4) ? float_of(plain(bound[4])) : 10.0;
  at::Tensor numbers = made.numbers.clone();
  double* to = numbers.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < numbers.numel(); ++i) to[i] = std::pow(base, to[i]);
  return make_array(numbers.to(made.type));
}

/// Implements geomspace of two positive numbers: equal quotients between neighbours.
Value geomspace(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("geomspace", arguments, {"start", "stop", "num", "endpoint"}, 2);
  const double start = float_of(plain(bound[0]));
  const double stop = float_of(plain(bound[1]));
  if (!(start > 0 && stop > 0)) {
    throw Mistake("geomspace() is available to models between positive numbers");
  }
  const std::int64_t count = bound.has(2) ? to_integer(bound[2]) : 50;
  spend_array(evaluator, {count});
  at::Tensor made = spaced(std::log10(start), std::log10(stop), count, bound.flag(3, true));
  double* to = made.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < count; ++i) to[i] = std::pow(10.0, to[i]);
  // The ends are exact.
  if (count > 0) to[0] = start;
  if (count > 1 && bound.flag(3, true)) to[count - 1] = stop;
  return make_array(made);
}

}  // namespace

void add_constructors(const Library& library) {
  const std::pair<const char*, Method> functions[] = {{"array", array_from<true>},
                                                      {"asarray", array_from<false>},
                                                      {"asanyarray", array_from<false>},
                                                      {"ascontiguousarray", array_from<false>},
                                                      {"copy", array_from<true>},
                                                      {"zeros", constant_array<0>},
                                                      {"empty", constant_array<0>},
                                                      {"ones", constant_array<1>},
                                                      {"zeros_like", constant_like<0>},
                                                      {"empty_like", constant_like<0>},
                                                      {"ones_like", constant_like<1>},
                                                      {"full", full},
                                                      {"full_like", full_like},
                                                      {"eye", eye},
                                                      {"identity", identity},
                                                      {"arange", arange},
                                                      {"linspace", linspace},
                                                      {"logspace", logspace},
                                                      {"geomspace", geomspace}};
  for (const auto& [name, function] : functions) library.function(name, function);
}

}  // namespace knead::engine::model::numpy
