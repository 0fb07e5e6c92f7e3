#pragma once

#include <cstdint>

namespace knead::engine {

/// Decides from the times of this process's threads whether other processes want its cores.
class Crowding {
 public:
  /// Takes what the threads did since the last call: the time for which they ran and the time for
  /// which they were ready and waited for a core, in any unit. Returns whether the cores are
  /// crowded. Between the two bounds the last answer stays.
  bool after(double ran, double waited);

 private:
  bool is_crowded_ = false;
};

/// Starts a thread that watches whether other processes want the cores, and meanwhile lets the
/// `threads` of OpenMP sleep soon where they wait for each other. On a machine of its own a run is
/// fastest if they spin for a while; beside other work a thread that spins keeps the core from the
/// thread that it waits for, and a step takes four times as long. Does not change results. Does
/// nothing for one thread, or if it was called before.
void watch_spinning(std::int64_t threads);

}  // namespace knead::engine
