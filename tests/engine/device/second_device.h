#pragma once

#include <cstdint>

namespace knead::engine {

/// A device that is made of host memory, but none of whose tensors may meet one of the CPU in an
/// operator, as those of a GPU may not; every operator is that of the CPU, on copies. From here on
/// all of this process computes there, until it says otherwise.
void compute_on_second_device();

/// How often something was read from it with nothing left to do for it meanwhile: each time a GPU
/// would stand idle.
std::int64_t times_read();

}  // namespace knead::engine
