#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>

#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/functions.h"
#include "runner/engine/model/python/numpy/python_random.h"
#include "runner/engine/model/python/numpy/random_state.h"

namespace knead::engine::model::numpy {

namespace {

constexpr const char* kRandomState = "numpy.random.RandomState";

/// Keeps a generator in an object of RandomState.
void start(const Value& state, std::uint32_t number) {
  static_assert(std::is_trivially_copyable_v<MersenneTwister>);
  MersenneTwister generator;
  generator.seed(number);
  at::Tensor bytes = at::empty({sizeof generator}, at::kByte);
  std::memcpy(bytes.mutable_data_ptr(), &generator, sizeof generator);
  (*as<Object>(state))->attributes = {{"@state", bytes}};
}

/// Starts a generator that the source does not seed: with the seed of torch, which is the
/// recipe's while a model is built. NumPy itself would take another seed each time.
void start_by_recipe(const Value& state) {
  start(state, is_model_running() ? word_of_torch() : static_cast<std::uint32_t>(seed_of_torch()));
  (*as<Object>(state))->attributes.emplace_back("@by_recipe", true);
}

Value seed(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("seed", arguments, {"self", "seed"}, 1);
  if (is_none(bound.or_none(1))) {
    start_by_recipe(bound[0]);
    return None{};
  }
  if (!is_integer(bound[1])) throw Mistake("the seed of NumPy is a whole number in a model");
  const std::int64_t number = integer_of(bound[1]);
  if (number < 0 || number > 0xffffffffLL) {
    throw Mistake::of("ValueError", "Seed must be between 0 and 2**32 - 1");
  }
  start(bound[0], static_cast<std::uint32_t>(number));
  return None{};
}

/// Draws as many numbers as `size` says: a float of Python without a size.
template <typename Draw>
Value drawn(Evaluator& evaluator, const Value& size, Draw draw) {
  if (is_none(size)) return draw();
  const auto sizes = to_sizes(evaluator, size);
  spend_array(evaluator, sizes);
  using Number = decltype(draw());
  at::Tensor made = at::empty(sizes, std::is_same_v<Number, double> ? at::kDouble : at::kLong);
  Number* to = made.mutable_data_ptr<Number>();
  for (std::int64_t i = 0; i < made.numel(); ++i) to[i] = draw();
  return make_array(made);
}

/// Returns the sizes of rand(2, 3), None without arguments.
Value sizes_one_by_one(const Arguments& arguments) {
  if (arguments.positional.size() < 2) return None{};
  return make_tuple(Values(arguments.positional.begin() + 1, arguments.positional.end()));
}

Value rand(Evaluator& evaluator, const Arguments& arguments) {
  MersenneTwister& generator = generator_of(arguments.positional.at(0));
  return drawn(evaluator, sizes_one_by_one(arguments), [&] { return generator.draw_double(); });
}

Value randn(Evaluator& evaluator, const Arguments& arguments) {
  MersenneTwister& generator = generator_of(arguments.positional.at(0));
  return drawn(evaluator, sizes_one_by_one(arguments), [&] { return generator.draw_gaussian(); });
}

Value random_sample(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("random_sample", arguments, {"self", "size"}, 1);
  MersenneTwister& generator = generator_of(bound[0]);
  return drawn(evaluator, bound.or_none(1), [&] { return generator.draw_double(); });
}

Value standard_normal(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("standard_normal", arguments, {"self", "size"}, 1);
  MersenneTwister& generator = generator_of(bound[0]);
  return drawn(evaluator, bound.or_none(1), [&] { return generator.draw_gaussian(); });
}

Value exponential(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("exponential", arguments, {"self", "scale", "size"}, 1);
  MersenneTwister& generator = generator_of(bound[0]);
  const double scale = bound.has(1) ? float_of(plain(bound[1])) : 1.0;
  return drawn(evaluator, bound.or_none(2),
               [&] { return scale * -std::log(1.0 - generator.draw_double()); });
}

/// Draws with two parameters, which may be arrays: one number for each of their items.
template <typename Draw>
Value drawn_with(Evaluator& evaluator, const BoundArguments& bound, double first, double second,
                 Draw draw) {
  const auto parameter = [&](std::size_t place, double otherwise) {
    return array_of(evaluator, bound.has(place) ? bound[place] : Value{otherwise}, at::kDouble);
  };
  at::Tensor a = parameter(1, first);
  at::Tensor b = parameter(2, second);
  if (a.dim() == 0 && b.dim() == 0) {
    const double x = a.item<double>();
    const double y = b.item<double>();
    return drawn(evaluator, bound.or_none(3), [&] { return draw(x, y); });
  }
  auto shape = broadcast_shape({a, b});
  if (!is_none(bound.or_none(3))) shape = to_sizes(evaluator, bound[3]);
  spend_array(evaluator, shape);
  a = a.expand(shape).contiguous();
  b = b.expand(shape).contiguous();
  at::Tensor made = at::empty(shape, at::kDouble);
  for (std::int64_t i = 0; i < made.numel(); ++i) {
    made.mutable_data_ptr<double>()[i] =
        draw(a.const_data_ptr<double>()[i], b.const_data_ptr<double>()[i]);
  }
  return make_array(made);
}

Value uniform(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("uniform", arguments, {"self", "low", "high", "size"}, 1);
  MersenneTwister& generator = generator_of(bound[0]);
  return drawn_with(evaluator, bound, 0.0, 1.0, [&](double low, double high) {
    return low + (high - low) * generator.draw_double();
  });
}

Value normal(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("normal", arguments, {"self", "loc", "scale", "size"}, 1);
  MersenneTwister& generator = generator_of(bound[0]);
  return drawn_with(evaluator, bound, 0.0, 1.0, [&](double mean, double deviation) {
    return mean + deviation * generator.draw_gaussian();
  });
}

Value randint(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("randint", arguments, {"self", "low", "high", "size", "dtype"}, 2);
  MersenneTwister& generator = generator_of(bound[0]);
  const c10::ScalarType type = to_array_type(bound.or_none(4)).value_or(at::kLong);
  if (type != at::kLong && type != at::kInt) {
    throw Mistake("randint() makes int64 and int32 in a model", "write .astype(…) behind it");
  }
  const bool has_high = !is_none(bound.or_none(2));
  const std::int64_t low = has_high ? to_integer(bound[1]) : 0;
  const std::int64_t high = to_integer(bound[has_high ? 2 : 1]);
  if (low >= high) throw Mistake::of("ValueError", "low >= high");
  const std::uint64_t most = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) - 1;
  const Value made = drawn(evaluator, bound.or_none(3), [&] {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + generator.draw_up_to(most));
  });
  const auto* array = as<Array>(made);
  return array ? make_array((*array)->numbers.to(type)) : made;
}

Value shuffle(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("shuffle", arguments, {"self", "x"}, 2);
  MersenneTwister& generator = generator_of(bound[0]);
  if (const auto* array = as<Array>(bound[1])) {
    must_be_writable(**array);
    at::Tensor& numbers = (*array)->numbers;
    if (numbers.dim() == 0) throw Mistake::of("TypeError", "len() of unsized object");
    const at::Tensor places = shuffled_places(evaluator, generator, numbers.size(0));
    numbers.copy_(at::index_select(numbers, 0, places));
    return None{};
  }
  const auto* list = as<List>(bound[1]);
  if (!list) throw Mistake("shuffle() takes an array or a list");
  const Values before = (*list)->items;
  const at::Tensor places =
      shuffled_places(evaluator, generator, static_cast<std::int64_t>(before.size()));
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto from = places.const_data_ptr<std::int64_t>()[i];
    (*list)->items[i] = before[static_cast<std::size_t>(from)];
  }
  return None{};
}

Value permutation(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("permutation", arguments, {"self", "x"}, 2);
  MersenneTwister& generator = generator_of(bound[0]);
  if (is_integer(bound[1])) {
    return make_array(shuffled_places(evaluator, generator, integer_of(bound[1])));
  }
  const at::Tensor numbers = array_of(evaluator, bound[1]);
  if (numbers.dim() == 0) throw Mistake::of("TypeError", "len() of unsized object");
  const at::Tensor places = shuffled_places(evaluator, generator, numbers.size(0));
  return make_array(at::index_select(numbers, 0, places));
}

}  // namespace

MersenneTwister& generator_of(const Value& state) {
  const auto& attributes = (*as<Object>(state))->attributes;
  const bool has_state = find_named(attributes, "@state") != nullptr;
  const bool has_own_seed = has_state && !find_named(attributes, "@by_recipe");
  if (is_model_running() && has_own_seed) refuse_seeded_draw();
  // The state of a generator is in no checkpoint, so each call while the model runs begins anew
  // with a number of torch.
  if (!has_state || is_model_running()) start_by_recipe(state);
  const Value* bytes = find_named(attributes, "@state");
  return *static_cast<MersenneTwister*>(std::get<at::Tensor>(*bytes).mutable_data_ptr());
}

at::Tensor shuffled_places(Evaluator& evaluator, MersenneTwister& generator, std::int64_t count) {
  spend_array(evaluator, {count});
  at::Tensor places = at::arange(count, at::kLong);
  auto* numbers = places.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = count - 1; i > 0; --i) {
    std::swap(numbers[i], numbers[generator.draw_up_to(static_cast<std::uint64_t>(i))]);
  }
  return places;
}

void add_random(const Library& library) {
  const std::pair<const char*, Method> methods[] = {{"seed", seed},
                                                    {"rand", rand},
                                                    {"randn", randn},
                                                    {"random", random_sample},
                                                    {"random_sample", random_sample},
                                                    {"ranf", random_sample},
                                                    {"standard_normal", standard_normal},
                                                    {"exponential", exponential},
                                                    {"uniform", uniform},
                                                    {"normal", normal},
                                                    {"randint", randint},
                                                    {"shuffle", shuffle},
                                                    {"permutation", permutation},
                                                    {"choice", choice}};
  const auto type = make_type(kRandomState);
  add_method(*type, "__init__", seed);
  const auto names = make_namespace("numpy.random");
  // The functions of the module draw from a generator of their own, which seed() starts.
  const auto shared = std::make_shared<Object>();
  shared->type = type;
  for (const auto& [name, method] : methods) {
    add_method(*type, name, method);
    const auto call = [shared, method](Evaluator& evaluator, const Arguments& arguments,
                                       syntax::Range) {
      Arguments all = arguments;
      all.positional.insert(all.positional.begin(), shared);
      return method(evaluator, all);
    };
    names->names->set(name, make_builtin(fmt::format("numpy.random.{}", name), call));
  }
  names->names->set("RandomState", type);
  library.evaluator.add_type(type);
  library.evaluator.add_module("numpy.random", names);
  library.names.names->set("random", names);
}

}  // namespace knead::engine::model::numpy
