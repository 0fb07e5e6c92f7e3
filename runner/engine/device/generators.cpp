#include "runner/engine/device/generators.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string_view>

#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include "runner/engine/device/device.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

/// Returns the CPU's default generator, then the device's if it has its own.
std::vector<at::Generator> generators() {
  std::vector<at::Generator> all{at::globalContext().defaultGenerator(at::Device(at::kCPU))};
  if (!device().is_cpu()) all.push_back(at::globalContext().defaultGenerator(device()));
  return all;
}

/// Returns the value of a hexadecimal digit. Throws knead::Error for another character.
int value_of(char digit) {
  // strchr() also finds the 0 that ends the string.
  const char* found = digit == 0 ? nullptr : std::strchr(kDigits, digit);
  if (!found) throw Error("the state of the random number generator is no hexadecimal text");
  return static_cast<int>(found - kDigits);
}

/// Parses hexadecimal digits into `bytes`. Throws knead::Error if their number does not fit.
void read(std::string_view text, const at::Tensor& bytes) {
  if (text.size() != static_cast<std::size_t>(bytes.numel()) * 2)
    throw Error("the state of the random number generator has another size");
  auto* data = bytes.mutable_data_ptr<std::uint8_t>();
  for (std::size_t i = 0; i < text.size() / 2; ++i)
    data[i] = static_cast<std::uint8_t>(value_of(text[2 * i]) << 4 | value_of(text[2 * i + 1]));
}

/// Formats bytes as hexadecimal digits.
std::string written(const at::Tensor& bytes) {
  const auto* data = bytes.const_data_ptr<std::uint8_t>();
  std::string text;
  text.reserve(static_cast<std::size_t>(bytes.numel()) * 2);
  for (std::int64_t i = 0; i < bytes.numel(); ++i) {
    text += kDigits[data[i] >> 4];
    text += kDigits[data[i] & 15];
  }
  return text;
}

}  // namespace

void seed_generator(std::uint64_t seed) {
  for (at::Generator& target : generators()) {
    const std::lock_guard lock(target.mutex());
    target.set_current_seed(seed);
  }
}

GeneratorState::GeneratorState() {
  for (at::Generator& source : generators()) {
    const std::lock_guard lock(source.mutex());
    bytes_.push_back(source.get_state());
  }
}

GeneratorState::GeneratorState(const std::string& text) : GeneratorState() {
  const std::size_t comma = std::min(text.find(','), text.size());
  read(std::string_view(text).substr(0, comma), bytes_[0]);
  if (comma < text.size() && bytes_.size() > 1)
    read(std::string_view(text).substr(comma + 1), bytes_[1]);
}

void GeneratorState::restore() const {
  std::vector<at::Generator> targets = generators();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::lock_guard lock(targets[i].mutex());
    targets[i].set_state(bytes_[i]);
  }
}

std::string GeneratorState::text() const {
  return bytes_.size() > 1 ? written(bytes_[0]) + "," + written(bytes_[1]) : written(bytes_[0]);
}

}  // namespace knead::engine
