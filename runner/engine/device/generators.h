#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// Seeds LibTorch's default generators, as torch.manual_seed() does: the CPU's, which draws a
/// model's initial weights, and the device's, which draws dropout. On the CPU they are one.
void seed_generator(std::uint64_t seed);

/// Holds the complete state of the default generators at one moment: some 5 KB for the CPU's
/// Mersenne Twister, 16 bytes for a GPU's counter. A copy; it stays as it is when numbers are
/// drawn.
class GeneratorState {
 public:
  /// Captures the current state.
  GeneratorState();

  /// Parses what text() returned. Uses the current state of the device's generator if the text has
  /// none, as after a run on the CPU, and ignores that of a device which this process does not use.
  /// Throws knead::Error if the text is not hexadecimal or has another size. Does not change the
  /// generators: restore() does.
  explicit GeneratorState(const std::string& text);

  /// Sets the default generators to this state, so that the next numbers are those drawn after it
  /// was captured. The device of the process must be the one of that time.
  void restore() const;

  /// Formats the state as hexadecimal digits: the CPU's, then after a comma the device's if it has
  /// its own generator.
  std::string text() const;

 private:
  std::vector<at::Tensor> bytes_;  // uint8: the CPU's, then the device's if it has its own
};

/// Makes the default generators draw from another seed while it lives; the destructor restores
/// their previous state, so that the numbers outside do not depend on those inside. May be nested.
class BorrowedGenerator {
 public:
  explicit BorrowedGenerator(std::uint64_t seed) { seed_generator(seed); }
  ~BorrowedGenerator() { before_.restore(); }
  BorrowedGenerator(const BorrowedGenerator&) = delete;
  BorrowedGenerator& operator=(const BorrowedGenerator&) = delete;

 private:
  GeneratorState before_;  // captured before the seed is set
};

}  // namespace knead::engine
