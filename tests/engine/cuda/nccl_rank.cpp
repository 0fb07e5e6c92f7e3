// One rank of the tests of NCCL: nccl_rank SCENARIO RANK RANKS RENDEZVOUS TIMEOUT CARRIER. It
// computes on the stand-in for a device, and prints what it has seen or the error it ended with.
// CARRIER: nccl; gloo, through host memory; cpu, where the CPU is the device.

#include <cstdio>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "runner/engine/cuda/nccl_library.h"
#include "schema/document/error.h"
#include "tests/engine/cuda/nccl_rank.h"
#include "tests/engine/device/second_device.h"

namespace {

using namespace knead::engine;

std::string run(const std::vector<std::string>& words) {
  auto scenarios = cuda::right_scenarios();
  scenarios.merge(cuda::wrong_scenarios());
  const std::string& carrier = words.at(5);
  if (carrier != "cpu") compute_on_second_device();
  parallel::Group group({.rank = std::stoi(words[1]),
                         .ranks = std::stoi(words[2]),
                         .rendezvous = words[3],
                         .timeout = std::stod(words[4]),
                         .nccl = carrier == "nccl" ? &cuda::load_nccl() : nullptr});
  return scenarios.at(words[0])(group);
}

}  // namespace

int main(int count, char** words) {
  try {
    fmt::print("{}\n", run({words + 1, words + count}));
    return 0;
  } catch (const knead::Error& error) {
    fmt::print("{}\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& exception) {
    fmt::print("unexpected: {}\n", exception.what());
    return 1;
  }
}
