#pragma once

#include <string>

namespace knead::engine {

/// Whether this processor rounds as the one that numbers of tests/fixtures were recorded on, of
/// which `recorded` is the digest. A fixed set of kernels, tests/engine/processor_probe.py, is run
/// by tools/rounding.py when numbers are recorded and once by each test program; the digests of
/// what it gives are equal where PyTorch, MKL and oneDNN choose code that rounds alike. The names
/// of instruction sets are not enough: MKL has other code for each make of processor. The number
/// of threads and the default generator are afterwards what they were.
bool computes_alike(const std::string& recorded);

}  // namespace knead::engine
