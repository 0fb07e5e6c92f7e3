#include "runner/engine/verbs/call.h"

#include "schema/document/error.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead;
using engine::read_call;

namespace {

std::string refusal_of(const std::vector<std::string>& options) {
  std::vector<std::string> words{"run", "a.yaml"};
  words.insert(words.end(), options.begin(), options.end());
  try {
    read_call(words);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a call without ranks is that of one rank") {
  const engine::Call call = read_call({"run", "a.yaml", "--", "x=1"});
  CHECK(call.rank == 0);
  CHECK(call.ranks == 1);
  CHECK(call.rendezvous.empty());
}

TEST_CASE("a call says which rank it is, of how many, and where they find each other") {
  const engine::Call call = read_call({"run", "a.yaml", "--fresh", "--rank=2", "--ranks=4",
                                       "--rendezvous=/proc/self/fd/5", "--", "--rank=7"});
  CHECK(call.rank == 2);
  CHECK(call.ranks == 4);
  CHECK(call.local_rank == 2);
  CHECK(call.local_ranks == 4);
  CHECK(call.rendezvous == "/proc/self/fd/5");
  CHECK(call.fresh);
  CHECK(call.overrides == std::vector<std::string>{"--rank=7"});
}

TEST_CASE("a call of a rank on one of several machines says which of its ranks it is") {
  const engine::Call call =
      read_call({"run", "a.yaml", "--rank=2", "--ranks=4", "--local-rank=0", "--local-ranks=2",
                 "--rendezvous=tcp://n01:29500", "--start=job 7"});
  CHECK(call.local_rank == 0);
  CHECK(call.local_ranks == 2);
  CHECK(call.rendezvous == "tcp://n01:29500");
  CHECK(call.start == "job 7");
}

TEST_CASE("ranks that cannot be are refused") {
  CHECK(refusal_of({"--rank=4", "--ranks=4", "--rendezvous=f"}) == "there is no rank 4 of 4");
  CHECK(refusal_of({"--rank=1"}) == "there is no rank 1 of 1");
  CHECK(refusal_of({"--ranks=0"}) == "there is no rank 0 of 0");
  CHECK(refusal_of({"--ranks=2"}) == "2 ranks need a rendezvous");
  for (const char* word : {"", "-1", "two", "2x", "99999999999"})
    CHECK(refusal_of({std::string("--ranks=") + word}) ==
          "'" + std::string(word) + "' is no count");
}

TEST_CASE("a run may stop after steps, epochs, samples or tokens") {
  using schema::Quantity;
  using schema::Unit;
  const auto length = [](const std::string& word) {
    return read_call({"run", "a.yaml", "--stop-after=" + word}).stop_after;
  };
  CHECK(length("7") == Quantity{7, Unit::steps});
  CHECK(length("1 step") == Quantity{1, Unit::steps});
  CHECK(length("0.5 epochs") == Quantity{0.5, Unit::epochs});
  CHECK(length("3epochs") == Quantity{3, Unit::epochs});
  CHECK(length("1e6 samples") == Quantity{1e6, Unit::samples});
  CHECK(length("4096 tokens") == Quantity{4096, Unit::tokens});
  for (const char* word : {"", "-1", "three", "3 min", "0.5 steps", "-1 epochs", "1e999 epochs"})
    CHECK(refusal_of({std::string("--stop-after=") + word}) ==
          "'" + std::string(word) + "' is no length of a run");
}
