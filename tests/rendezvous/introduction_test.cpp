#include "runner/rendezvous/introduction.h"

#include <catch2/catch.hpp>

#include "runner/rendezvous/message.h"

namespace knead::rendezvous {
namespace {

const Ticket kHost{.rank = 0, .ranks = 4, .run = "job 7", .token = "secret"};
const Ticket kRank{.rank = 2, .ranks = 4, .run = "job 7", .token = "secret"};

Message read(const std::string& bytes) {
  Inbox inbox;
  inbox.add(bytes);
  bool is_broken = false;
  return inbox.take(kLongestIntroduction, is_broken).value();
}

/// Returns how the host of kHost judges a ticket.
Refusal judge(const Ticket& ticket, int& rank) {
  return judge_introduction(read(introduction(ticket, "nonce of host", "nonce of rank")), kHost,
                            "nonce of host", rank);
}

Refusal judge(const Ticket& ticket) {
  int rank = 0;
  return judge(ticket, rank);
}

TEST_CASE("A rank of the run with its token is welcome", "[rendezvous]") {
  int rank = 0;
  CHECK(judge(kRank, rank) == Refusal::none);
  CHECK(rank == 2);
  const Message words = read(introduction(kRank, "nonce of host", "nonce of rank"));
  const Message answer = read(welcome(words, kHost, "nonce of host"));
  CHECK(refusal_in(answer, kRank, "nonce of host", "nonce of rank") == Refusal::none);
  CHECK(nonce_in(read(greeting("nonce"))) == "nonce");
}

TEST_CASE("Other tickets are refused, with the reason", "[rendezvous]") {
  const auto with = [](auto change) {
    Ticket ticket = kRank;
    change(ticket);
    return judge(ticket);
  };
  CHECK(with([](Ticket& ticket) { ticket.run = "job 8"; }) == Refusal::other_run);
  CHECK(with([](Ticket& ticket) { ticket.token = "guess"; }) == Refusal::other_token);
  CHECK(with([](Ticket& ticket) { ticket.token = ""; }) == Refusal::other_token);
  CHECK(with([](Ticket& ticket) { ticket.ranks = 5; }) == Refusal::other_ranks);
  CHECK(with([](Ticket& ticket) { ticket.rank = 0; }) == Refusal::other_ranks);
  CHECK(with([](Ticket& ticket) { ticket.rank = 4; }) == Refusal::other_ranks);
  CHECK(with([](Ticket& ticket) { ticket.rank = -1; }) == Refusal::other_ranks);
  int rank = 0;
  CHECK(judge_introduction({"GET / HTTP/1.1"}, kHost, "nonce", rank) == Refusal::other_program);
  CHECK(judge_introduction({}, kHost, "nonce", rank) == Refusal::other_program);
  CHECK(rank == 0);
}

TEST_CASE("Proofs hold for one connection only, and in one direction", "[rendezvous]") {
  const Message words = read(introduction(kRank, "nonce of host", "nonce of rank"));
  int rank = 0;
  CHECK(judge_introduction(words, kHost, "another nonce", rank) == Refusal::other_token);
  const Message answer = read(welcome(words, kHost, "nonce of host"));
  CHECK(refusal_in(answer, kRank, "nonce of host", "another nonce") == Refusal::other_token);
  // The proof of a rank does not serve as a welcome of rank 0.
  CHECK(refusal_in({"welcome", words.back()}, kRank, "nonce of host", "nonce of rank") ==
        Refusal::other_token);
  Ticket other = kRank;
  other.token = "guess";
  CHECK(refusal_in(answer, other, "nonce of host", "nonce of rank") == Refusal::other_token);
}

TEST_CASE("A refusal is read as the reason that was sent", "[rendezvous]") {
  for (const Refusal reason : {Refusal::other_program, Refusal::other_run, Refusal::other_ranks,
                               Refusal::other_token, Refusal::present})
    CHECK(refusal_in(read(refusal(reason)), kRank, "a", "b") == reason);
  for (const char* const number : {"0", "6", "-1", "x", ""})
    CHECK(refusal_in({"refused", number}, kRank, "a", "b") == Refusal::other_program);
  CHECK(refusal_in({"hello"}, kRank, "a", "b") == Refusal::other_program);
}

}  // namespace
}  // namespace knead::rendezvous
