#pragma once

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// LibTorch's default generator, from which a model's initial weights, and later its dropout, draw.
void seed_generator(std::uint64_t seed);

/// Its whole state at a moment.
class GeneratorState {
 public:
  /// As it is now.
  GeneratorState();

  /// From the text of another. Throws knead::Error where it is no state.
  explicit GeneratorState(const std::string& text);

  /// The generator goes on from here.
  void restore() const;

  /// As hexadecimal digits.
  std::string text() const;

 private:
  at::Tensor bytes_;
};

/// While it lives, what is drawn comes from another seed; then the generator goes on where it was.
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
