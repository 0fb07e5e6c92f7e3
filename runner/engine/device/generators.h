#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// LibTorch's default generators: that of the CPU, from which a model's initial weights draw, and
/// that of the device, from which its dropout draws later. Often they are one.
void seed_generator(std::uint64_t seed);

/// Their whole state at a moment.
class GeneratorState {
 public:
  /// As it is now.
  GeneratorState();

  /// From the text of another; what it does not know, because it is of another device, is as it is
  /// now. Throws knead::Error where it is no state.
  explicit GeneratorState(const std::string& text);

  /// The generators go on from here.
  void restore() const;

  /// As hexadecimal digits, the device's behind a comma.
  std::string text() const;

 private:
  std::vector<at::Tensor> bytes_;  // of the CPU, and of the device where it has its own
};

/// While it lives, what is drawn comes from another seed; then the generators go on where they
/// were.
class BorrowedGenerator {
 public:
  explicit BorrowedGenerator(std::uint64_t seed) { seed_generator(seed); }
  ~BorrowedGenerator() { before_.restore(); }
  BorrowedGenerator(const BorrowedGenerator&) = delete;
  BorrowedGenerator& operator=(const BorrowedGenerator&) = delete;

 private:
  GeneratorState before_;  // made before the seed is set
};

}  // namespace knead::engine
