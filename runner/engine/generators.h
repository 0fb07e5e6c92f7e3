#pragma once

#include <cstdint>
#include <string>

namespace knead::engine {

/// LibTorch's default generator, from which a model's initial weights, and later its dropout, draw.
void seed_generator(std::uint64_t seed);

/// Its whole state, as hexadecimal digits.
std::string generator_state();

/// Throws knead::Error where the text is no state.
void restore_generator(const std::string& state);

/// While it lives, what is drawn comes from another seed; then the generator goes on where it was.
class BorrowedGenerator {
 public:
  explicit BorrowedGenerator(std::uint64_t seed);
  ~BorrowedGenerator();
  BorrowedGenerator(const BorrowedGenerator&) = delete;
  BorrowedGenerator& operator=(const BorrowedGenerator&) = delete;

 private:
  std::string before_;
};

}  // namespace knead::engine
