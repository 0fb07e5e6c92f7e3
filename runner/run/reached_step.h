#pragma once

#include <cstdint>

namespace knead::run {

/// Tells the launcher how many steps a rank has completed, so that it can say where a rank was that
/// was killed: in a file in memory that the environment variable KNEAD_STEPS names, with 8 bytes
/// for each rank. Does nothing where another launcher has started the rank, or the file is not
/// usable.
class ReachedStep {
 public:
  explicit ReachedStep(int rank);
  ~ReachedStep();
  ReachedStep(const ReachedStep&) = delete;
  ReachedStep& operator=(const ReachedStep&) = delete;

  /// Notes the number of completed steps. Costs one write to memory.
  void note(std::uint64_t step);

 private:
  void* map_ = nullptr;
  std::size_t size_ = 0;
  int rank_;
};

}  // namespace knead::run
