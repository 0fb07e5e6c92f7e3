#pragma once

#include <cstdint>

namespace knead::engine {

/// Sets how many threads compute an operation of this thread, in OpenMP and MKL; those of other
/// threads use one. Starts no thread, unlike at::set_num_threads(), whose pool for the kernels of
/// phones begins with 20 ms of spinning, on a core that another run may want.
void set_threads(std::int64_t threads);

/// Makes operators compute on one thread until set_threads() is called, in a process that forks:
/// LibTorch and OpenMP have started no thread that a fork would lose, and do not begin to.
void compute_before_forks();

}  // namespace knead::engine
