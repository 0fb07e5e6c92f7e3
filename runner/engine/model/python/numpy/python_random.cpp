#include "runner/engine/model/python/numpy/python_random.h"

#include <cstring>

#include <ATen/Context.h>
#include <ATen/ops/empty.h>

#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/numpy/mersenne_twister.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {
namespace {

using numpy::MersenneTwister;

/// The generator of an object of random.Random, which keeps the bytes of it in a tensor.
struct PythonGenerator {
  MersenneTwister twister;
  std::int64_t has_own_seed = 0;  // 0: the seed is the recipe's
};

PythonGenerator& generator_in(const Value& state) {
  auto& generator = *static_cast<PythonGenerator*>(std::get<at::Tensor>(state).mutable_data_ptr());
  if (is_model_running() && generator.has_own_seed != 0) numpy::refuse_seeded_draw();
  return generator;
}

std::uint32_t draw_word(PythonGenerator& generator) {
  return is_model_running() ? numpy::word_of_torch() : generator.twister.draw();
}

std::uint64_t draw_bits(PythonGenerator& generator, std::int64_t bits) {
  if (bits == 0) return 0;
  if (bits <= 32) return draw_word(generator) >> static_cast<std::uint32_t>(32 - bits);
  const std::uint64_t low = draw_word(generator);
  const std::uint64_t high = draw_word(generator) >> static_cast<std::uint32_t>(64 - bits);
  return low | (high << 32U);
}

/// Implements random.seed(): a whole number has one or two words, and its sign does not count.
Value start_twister(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("seed", arguments, {"a"}, 1);
  static_assert(std::is_trivially_copyable_v<PythonGenerator>);
  PythonGenerator generator;
  generator.has_own_seed = is_none(bound[0]) ? 0 : 1;
  const auto number =
      is_none(bound[0]) ? static_cast<std::int64_t>(numpy::seed_of_torch()) : to_integer(bound[0]);
  const std::uint64_t size =
      number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  generator.twister.seed_by_key(static_cast<std::uint32_t>(size),
                                static_cast<std::uint32_t>(size >> 32U));
  at::Tensor bytes = at::empty({sizeof generator}, at::kByte);
  std::memcpy(bytes.mutable_data_ptr(), &generator, sizeof generator);
  return bytes;
}

Value draw_float(Evaluator&, const Arguments& arguments) {
  PythonGenerator& generator = generator_in(arguments.positional.at(0));
  const std::uint32_t high = draw_word(generator) >> 5U;
  const std::uint32_t low = draw_word(generator) >> 6U;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

Value draw_some_bits(Evaluator&, const Arguments& arguments) {
  const std::int64_t bits = to_integer(arguments.positional.at(1));
  if (bits < 0) throw Mistake::of("ValueError", "number of bits must be non-negative");
  if (bits > 63) throw Mistake("a whole number has at most 63 bits in a model");
  return static_cast<std::int64_t>(draw_bits(generator_in(arguments.positional.at(0)), bits));
}

Value model_runs(Evaluator&, const Arguments&) { return is_model_running(); }

}  // namespace

namespace numpy {

std::uint64_t seed_of_torch() {
  return at::globalContext().defaultGenerator(at::Device(at::kCPU)).current_seed();
}

std::uint32_t word_of_torch() {
  const at::Tensor word = at::empty({}, at::kLong).random_(0, std::int64_t{1} << 32U);
  return static_cast<std::uint32_t>(word.item<std::int64_t>());
}

void refuse_seeded_draw() {
  throw Mistake("random numbers of a seed of the source cannot be drawn while the model runs",
                "take the seed away: the numbers follow from the recipe's seed, and a resumed run "
                "goes on with them");
}

}  // namespace numpy

void add_python_random(Evaluator& evaluator) {
  add_function(evaluator, "_twister_start", start_twister);
  add_function(evaluator, "_twister_float", draw_float);
  add_function(evaluator, "_twister_bits", draw_some_bits);
  add_function(evaluator, "_model_runs", model_runs);
}

}  // namespace knead::engine::model
