#include <array>
#include <cstring>
#include <mutex>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>

#include "runner/engine/parallel/copies.h"
#include "runner/rendezvous/socket.h"
#include "schema/document/error.h"
#include "tests/engine/parallel/in_ranks.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::parallel {
namespace {

using tests::in_ranks;

template <class Value>
using OfRanks = std::vector<Value>;

TEST_CASE("A group of one returns what it is given", "[parallel]") {
  Group group;
  CHECK(group.is_alone());
  CHECK(group.is_first());
  std::array<double, 2> numbers{1, 2};
  group.sum(numbers);
  CHECK(numbers == std::array<double, 2>{1, 2});
  CHECK(group.of_first(3.0) == 3.0);
  CHECK(group.any(true));
  CHECK_FALSE(group.any(false));
  CHECK(group.gather("text") == std::vector<std::string>{"text"});
}

TEST_CASE("Ranks add, take rank 0's value, ask any, and gather texts", "[parallel]") {
  for (const int ranks : {2, 3, 4}) {
    const auto count = static_cast<std::size_t>(ranks);
    OfRanks<std::array<double, 2>> sums(count);
    OfRanks<double> firsts(count);
    OfRanks<int> any(count);
    OfRanks<std::string> texts(count);
    OfRanks<std::vector<std::string>> gathered(count);
    in_ranks(ranks, [&](Group& group) {
      const auto rank = static_cast<std::size_t>(group.rank());
      sums[rank] = {double(rank), 1};
      group.sum(sums[rank]);
      firsts[rank] = group.of_first(double(rank) + 7);
      any[rank] = (group.any(group.rank() == ranks - 1) ? 2 : 0) + (group.any(false) ? 1 : 0);
      texts[rank] = group.of_first(group.is_first() ? std::string("rank\0 0", 7) : "another");
      gathered[rank] = group.gather(std::string(rank * 3, static_cast<char>('a' + rank)));
    });
    for (std::size_t rank = 0; rank < count; ++rank) {
      CHECK(sums[rank] == std::array<double, 2>{double(ranks * (ranks - 1) / 2), double(ranks)});
      CHECK(firsts[rank] == 7);
      CHECK(any[rank] == 2);
      CHECK(texts[rank] == std::string("rank\0 0", 7));
      REQUIRE(gathered[rank].size() == count);
      for (std::size_t i = 0; i < count; ++i)
        CHECK(gathered[rank][i] == std::string(i * 3, static_cast<char>('a' + i)));
    }
  }
}

TEST_CASE("Tensors of any layout and dtype become those of rank 0", "[parallel]") {
  OfRanks<std::vector<at::Tensor>> tensors(3);
  in_ranks(3, [&](Group& group) {
    const auto rank = group.rank();
    tensors[static_cast<std::size_t>(rank)] = {
        at::full({}, rank + 1, at::kLong), at::full({3}, rank == 0, at::kBool),
        at::full({2, 3}, 0.5 + rank, at::kDouble),
        at::arange(6, at::kFloat).mul(rank + 1).view({2, 3}).t(), at::full({0, 4}, 1.0)};
    copy_from_first(tensors[static_cast<std::size_t>(rank)], group);
  });
  for (std::size_t rank = 1; rank < 3; ++rank)
    for (std::size_t i = 0; i < tensors[0].size(); ++i)
      CHECK(tensors[rank][i].equal(tensors[0][i]));
  CHECK(tensors[2][3].sizes() == at::IntArrayRef({3, 2}));
}

TEST_CASE("A rank that ends is an error for the others", "[parallel]") {
  std::string message;
  Exit code = Exit::done;
  in_ranks(2, [&](Group& group) {
    group.any(false);               // both are connected
    if (!group.is_first()) return;  // its group ends with it
    try {
      group.any(false);
    } catch (const Error& error) {
      message = error.what();
      code = error.code();
    }
  });
  CHECK(message == "rank 0 has lost the connection to another rank");
  CHECK(code == Exit::lost_another);
}

TEST_CASE("A rank that does not answer is an error after the timeout", "[parallel]") {
  std::string message;
  std::mutex waiting;
  waiting.lock();
  in_ranks(
      2,
      [&](Group& group) {
        if (!group.is_first()) {
          const std::lock_guard until_the_other_gives_up(waiting);
          return;
        }
        try {
          group.any(false);
        } catch (const Error& error) {
          message = error.what();
        }
        waiting.unlock();
      },
      1);
  CHECK(message == "rank 0 has waited 1 s for the other ranks");
}

/// Returns where a new rank 0 can listen.
std::string free_rendezvous() {
  const auto listener = rendezvous::listen_at({"127.0.0.1", "0"});
  return "tcp://" + rendezvous::own_end(listener).text();
}

TEST_CASE("Ranks on several machines meet at an address", "[parallel]") {
  OfRanks<std::vector<std::string>> gathered(3);
  in_ranks(
      3,
      [&](Group& group) {
        gathered[static_cast<std::size_t>(group.rank())] =
            group.gather(std::to_string(group.rank()));
      },
      60, free_rendezvous());
  for (const auto& texts : gathered) CHECK(texts == std::vector<std::string>{"0", "1", "2"});
}

TEST_CASE("A rendezvous that is none is refused", "[parallel]") {
  const auto connect = [](const std::string& at) {
    Group group(Membership{.rank = 1, .ranks = 2, .rendezvous = at, .timeout = 1});
  };
  CHECK_THROWS_WITH(connect("tcp://nowhere"),
                    "'nowhere' does not name a place where ranks can meet");
  const std::string at = free_rendezvous().substr(6);
  CHECK_THROWS_WITH(connect("torchrun://" + at), "rank 1 does not reach the store of torchrun at " +
                                                     at + ": Connection refused");
}

}  // namespace
}  // namespace knead::engine::parallel
