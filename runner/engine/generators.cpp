#include "runner/engine/generators.h"

#include <cstring>
#include <mutex>

#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include "schema/error.h"

namespace knead::engine {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

at::Generator generator() { return at::globalContext().defaultGenerator(at::Device(at::kCPU)); }

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

GeneratorState::GeneratorState() {
  at::Generator source = generator();
  const std::lock_guard lock(source.mutex());
  bytes_ = source.get_state();
}

GeneratorState::GeneratorState(const std::string& text) : GeneratorState() {
  if (text.size() != static_cast<std::size_t>(bytes_.numel()) * 2)
    throw Error("the state of the random number generator has another size");
  auto* data = bytes_.mutable_data_ptr<std::uint8_t>();
  for (std::size_t i = 0; i < text.size() / 2; ++i)
    data[i] = static_cast<std::uint8_t>(value_of(text[2 * i]) << 4 | value_of(text[2 * i + 1]));
}

void GeneratorState::restore() const {
  at::Generator target = generator();
  const std::lock_guard lock(target.mutex());
  target.set_state(bytes_);
}

std::string GeneratorState::text() const {
  const auto* data = bytes_.const_data_ptr<std::uint8_t>();
  std::string text;
  text.reserve(static_cast<std::size_t>(bytes_.numel()) * 2);
  for (std::int64_t i = 0; i < bytes_.numel(); ++i) {
    text += kDigits[data[i] >> 4];
    text += kDigits[data[i] & 15];
  }
  return text;
}

}  // namespace knead::engine
