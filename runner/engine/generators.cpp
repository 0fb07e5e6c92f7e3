#include "runner/engine/generators.h"

#include <cstring>
#include <mutex>

#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include "schema/error.h"

namespace knead::engine {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

at::Generator generator() { return at::globalContext().defaultGenerator(at::Device(at::kCPU)); }

at::Tensor state() {
  at::Generator source = generator();
  const std::lock_guard lock(source.mutex());
  return source.get_state();
}

void set_state(const at::Tensor& state) {
  at::Generator target = generator();
  const std::lock_guard lock(target.mutex());
  target.set_state(state);
}

int value_of(char digit) {
  const char* found = digit == 0 ? nullptr : std::strchr(kDigits, digit);
  if (!found) throw Error("the state of the random number generator is no hexadecimal text");
  return static_cast<int>(found - kDigits);
}

}  // namespace

void seed_generator(std::uint64_t seed) {
  at::Generator target = generator();
  const std::lock_guard lock(target.mutex());
  target.set_current_seed(seed);
}

std::string generator_state() {
  const at::Tensor bytes = state();
  const auto* data = bytes.const_data_ptr<std::uint8_t>();
  std::string text;
  text.reserve(static_cast<std::size_t>(bytes.numel()) * 2);
  for (std::int64_t i = 0; i < bytes.numel(); ++i) {
    text += kDigits[data[i] >> 4];
    text += kDigits[data[i] & 15];
  }
  return text;
}

void restore_generator(const std::string& text) {
  const std::int64_t size = state().numel();
  if (text.size() != static_cast<std::size_t>(size) * 2)
    throw Error("the state of the random number generator has another size");
  at::Tensor bytes = at::empty({size}, at::kByte);
  auto* data = bytes.mutable_data_ptr<std::uint8_t>();
  for (std::int64_t i = 0; i < size; ++i) {
    const auto at = static_cast<std::size_t>(i) * 2;
    data[i] = static_cast<std::uint8_t>(value_of(text[at]) << 4 | value_of(text[at + 1]));
  }
  set_state(bytes);
}

BorrowedGenerator::BorrowedGenerator(std::uint64_t seed) : before_(generator_state()) {
  seed_generator(seed);
}

BorrowedGenerator::~BorrowedGenerator() { restore_generator(before_); }

}  // namespace knead::engine
