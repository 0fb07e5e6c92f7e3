#include "runner/sweep/pool.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "runner/launch/held_signals.h"
#include "tests/folder.h"

using namespace knead;

namespace {

/// Waits until a file has a line, and returns it.
std::string line_of(const std::filesystem::path& path) {
  std::string line;
  for (int i = 0; i < 2000 && line.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::getline(std::ifstream(path), line);
  }
  return line;
}

}  // namespace

TEST_CASE("trials on GPUs get those that the fewest others use") {
  const tests::Folder folder;
  const launch::HeldSignals signals;
  const auto team = [&](const std::vector<std::string>& words, int /*ranks*/) {
    std::ofstream(folder / words[0]) << std::getenv("CUDA_VISIBLE_DEVICES") << std::endl;
    while (!std::filesystem::exists(folder / (words[0] + " ends")))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return 0;
  };
  sweep::Pool pool("/no engine", team, {"0", "GPU-8f3a", "5"}, signals);
  const auto gpus_of = [&](const std::string& trial, int ranks) {
    pool.start({.words = {trial}, .ranks = ranks, .on_gpus = true});
    return line_of(folder / trial);
  };
  CHECK(gpus_of("a", 1) == "0");
  CHECK(gpus_of("b", 1) == "GPU-8f3a");
  CHECK(gpus_of("c", 2) == "5,0");
  CHECK(gpus_of("d", 1) == "GPU-8f3a");
  std::ofstream(folder / "c ends").flush();
  while (pool.running() == 4) pool.wait(std::chrono::milliseconds(10));
  CHECK(gpus_of("e", 1) == "5");
  CHECK(gpus_of("f", 8) == "0,5,GPU-8f3a");  // more ranks than GPUs: the engine says so
}
