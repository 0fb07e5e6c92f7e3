#include <filesystem>
#include <fstream>
#include <optional>

#include <catch2/catch.hpp>

#include "runner/launch/ranks.h"
#include "runner/launch/visible_gpus.h"
#include "tests/folder.h"

using namespace knead::launch;

using Words = std::vector<std::string>;

TEST_CASE("the options of a rank stand before the word --") {
  const RankEnvironment rank{
      .rank = 2, .ranks = 4, .local_rank = 0, .local_ranks = 2, .rendezvous = "/p"};
  CHECK(arguments_of_rank({"run", "a.yaml", "--fresh", "--", "x=1", "--"}, rank) ==
        Words{"run", "a.yaml", "--fresh", "--rank=2", "--ranks=4", "--local-rank=0",
              "--local-ranks=2", "--rendezvous=/p", "--", "x=1", "--"});
  const RankEnvironment named{.rank = 0, .ranks = 2, .run = "job 7", .rendezvous = "tcp://a:1"};
  CHECK(arguments_of_rank({"env"}, named) == Words{"env", "--rank=0", "--ranks=2", "--local-rank=0",
                                                   "--local-ranks=1", "--rendezvous=tcp://a:1",
                                                   "--start=job 7"});
  CHECK(arguments_of_rank({"run", "a.yaml", "--"}, {}) == Words{"run", "a.yaml", "--"});
}

TEST_CASE("GPUs are found by their device files, as far as the environment shows them") {
  const knead::tests::Folder devices;
  for (const char* name : {"nvidia0", "nvidia1", "nvidia10", "nvidiactl", "nvidia-uvm", "null"})
    std::ofstream{devices / name};
  const auto shown = [&](const std::optional<std::string>& list) {
    return visible_gpus(
        [&](const std::string& name) {
          return name == "CUDA_VISIBLE_DEVICES" ? list : std::nullopt;
        },
        devices.path());
  };
  CHECK(shown(std::nullopt) == Words{"0", "1", "2"});
  CHECK(shown("").empty());
  CHECK(shown("-1").empty());
  CHECK(shown("1") == Words{"1"});
  CHECK(shown("0,2") == Words{"0", "2"});
  CHECK(shown("0,-1,2") == Words{"0"});
  CHECK(shown("GPU-8f3a,MIG-1b") == Words{"GPU-8f3a", "MIG-1b"});
  CHECK(shown("0,1,2,3,4") == Words{"0", "1", "2"});
  CHECK(visible_gpus([](const std::string&) { return std::nullopt; }, "/no such folder").empty());
}

TEST_CASE("a file in memory keeps the end of what was appended") {
  const MemoryFile file("test");
  CHECK(file.end(100).empty());
  const std::string path = file.path();
  std::ofstream(path, std::ios::app) << std::string(100000, 'x') << "end";
  CHECK(file.end(5) == "xxend");
  file.free_all_but(5);
  CHECK(file.end(5) == "xxend");
  std::ofstream(path, std::ios::app) << "more";
  CHECK(file.end(9) == "xxendmore");
  CHECK(std::filesystem::file_size(path) == 100007);
}
