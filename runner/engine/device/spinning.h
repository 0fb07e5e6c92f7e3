#pragma once

#include <cstdint>

namespace knead::engine {

/// Decides from the times of this process's threads whether other processes want its cores. Pure:
/// reads no clock and no file. Two bounds keep the answer from changing with each measurement.
class Crowding {
 public:
  /// Takes what the threads did since the last call: the time for which they ran and the time for
  /// which they were ready and waited for a core, in one unit of any kind. Returns whether the
  /// cores are crowded: from a share of 20 % waiting on, until the share falls to 10 %. The last
  /// answer stays if both times are 0. The first answer before any call is that they are free.
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
