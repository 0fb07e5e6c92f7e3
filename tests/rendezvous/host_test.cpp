#include "runner/rendezvous/host.h"

#include <functional>
#include <latch>
#include <thread>

#include <catch2/catch.hpp>

#include "runner/rendezvous/introduction.h"
#include "runner/rendezvous/member.h"
#include "runner/rendezvous/message.h"
#include "schema/document/error.h"

namespace knead::rendezvous {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono::steady_clock;

const Endpoint kAnyPort{"127.0.0.1", "0"};

Deadline in(std::chrono::milliseconds time) { return steady_clock::now() + time; }

Ticket ticket(int rank, int ranks, const std::string& token = "secret",
              const std::string& run = "job 7") {
  return {.rank = rank, .ranks = ranks, .run = run, .token = token};
}

/// Returns the message of the Error that `work` throws; empty if it throws none.
std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string remedy_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.remedy();
  }
  return "";
}

/// Calls `work` for each rank from 1 on a thread of its own. Returns what was thrown, by rank.
std::vector<std::string> as_members(int ranks, const std::function<void(int rank)>& work) {
  std::vector<std::string> errors(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 1; rank < ranks; ++rank)
    threads.emplace_back(
        [&, rank] { errors[static_cast<std::size_t>(rank)] = error_of([&] { work(rank); }); });
  for (std::thread& thread : threads) thread.join();
  return errors;
}

TEST_CASE("Ranks join and read what each has written, whoever comes first", "[rendezvous]") {
  constexpr int kRanks = 5;
  Host host(kAnyPort, ticket(0, kRanks));
  std::string seen[kRanks];
  std::string addresses[kRanks];
  std::latch all_have_read(kRanks);  // who leaves earlier ends the others
  const auto exchange = [&](Texts& texts, int rank) {
    texts.set(std::to_string(rank), std::string(1, '\0') + std::to_string(rank));
    for (int other = 0; other < kRanks; ++other)
      seen[rank] += texts.get(std::to_string(other), in(20s));
    addresses[rank] = texts.address();
    all_have_read.arrive_and_wait();
  };
  std::thread first([&] {
    host.wait_for_ranks(in(20s));
    exchange(host, 0);
  });
  const auto errors = as_members(kRanks, [&](int rank) {
    std::this_thread::sleep_for(20ms * (kRanks - rank));
    Member member(host.endpoint(), ticket(rank, kRanks), in(20s));
    exchange(member, rank);
  });
  first.join();
  for (int rank = 0; rank < kRanks; ++rank) {
    CHECK(errors[static_cast<std::size_t>(rank)].empty());
    CHECK(seen[rank] == std::string("\0000\0001\0002\0003\0004", 10));
    CHECK(addresses[rank] == "127.0.0.1");
  }
}

TEST_CASE("Strangers end nothing, whatever they send", "[rendezvous]") {
  Host host(kAnyPort, ticket(0, 2));
  std::string why;
  std::vector<Descriptor> strangers;
  for (int i = 0; i < 300; ++i) {
    strangers.push_back(connect_to(host.endpoint(), in(5s), why));
    const std::string words[] = {"", "GET / HTTP/1.1\r\n\r\n", std::string("\x10\0\0", 3),
                                 std::string(100000, '\xff'), message_of({"set", "0", "wrong"})};
    send_all(strangers.back(), words[i % 5], in(1s));
    if (i % 7 == 0) strangers.back() = Descriptor();
  }
  host.set("0", "right");
  Member member(host.endpoint(), ticket(1, 2), in(20s));
  CHECK(member.get("0", in(5s)) == "right");
}

TEST_CASE("A rank that does not fit is refused with the reason", "[rendezvous]") {
  Host host(kAnyPort, ticket(0, 3));
  const auto error_of_joining = [&](const Ticket& wrong) {
    return error_of([&] { Member(host.endpoint(), wrong, in(5s)); });
  };
  const std::string at = host.endpoint().text();
  CHECK(error_of_joining(ticket(2, 3, "guess")) ==
        "rank 0 at " + at + " refuses rank 2: they do not have the same token");
  CHECK(error_of_joining(ticket(2, 4)) ==
        "rank 0 at " + at + " refuses rank 2: it was started as one of 4 ranks, rank 0 was not");
  const Member first(host.endpoint(), ticket(1, 3), in(5s));
  CHECK(error_of_joining(ticket(1, 3)) ==
        "rank 0 at " + at + " refuses rank 1: another process has joined as this rank");
}

TEST_CASE("A rank waits for its own rank 0, and says what is there in its place", "[rendezvous]") {
  Endpoint endpoint;
  {
    Host earlier(kAnyPort, ticket(0, 2, "secret", "job 6"));
    endpoint = earlier.endpoint();
    CHECK(error_of([&] { Member(endpoint, ticket(1, 2), in(300ms)); }) ==
          "rank 1 has waited 0 s for rank 0 at " + endpoint.text() +
              ": rank 0 of another run listens there");
  }
  CHECK(error_of([&] { Member(endpoint, ticket(1, 2), in(300ms)); }) ==
        "rank 1 has waited 0 s for rank 0 at " + endpoint.text() + ": Connection refused");
  // Rank 0 may come later than the others.
  std::thread late([&] {
    std::this_thread::sleep_for(200ms);
    Host host(endpoint, ticket(0, 2));
    host.wait_for_ranks(in(20s));
    host.set("it", "is there");
    std::this_thread::sleep_for(500ms);
  });
  Member member(endpoint, ticket(1, 2), in(20s));
  CHECK(member.get("it", in(20s)) == "is there");
  late.join();
}

TEST_CASE("Rank 0 names the ranks that are missing", "[rendezvous]") {
  Host host(kAnyPort, ticket(0, 12));
  const std::string at = host.endpoint().text();
  const Member one(host.endpoint(), ticket(1, 12), in(5s));
  CHECK(error_of([&] { host.wait_for_ranks(in(50ms)); }) ==
        "rank 0 has waited 0 s at " + at +
            " for the ranks 2, 3, 4, 5, 6, 7, 8, 9 and 2 more of 12");
  Host pair(kAnyPort, ticket(0, 2));
  CHECK(error_of([&] { pair.wait_for_ranks(in(50ms)); }) ==
        "rank 0 has waited 0 s at " + pair.endpoint().text() + " for rank 1 of 2");
  CHECK(remedy_of([&] { pair.wait_for_ranks(in(1ms)); }) ==
        "what these ranks have said last tells why; other machines than this do not reach the "
        "address");
  error_of([&] { Member(pair.endpoint(), ticket(1, 2, "guess"), in(5s)); });
  CHECK(remedy_of([&] { pair.wait_for_ranks(in(1ms)); }) ==
        "a process was refused that does not have the same KNEAD_TOKEN");
}

TEST_CASE("A rank may come again before all are there; later its loss ends the others",
          "[rendezvous]") {
  Host host(kAnyPort, ticket(0, 3));
  { const Member gone(host.endpoint(), ticket(1, 3), in(5s)); }
  auto again = std::make_unique<Member>(host.endpoint(), ticket(1, 3), in(5s));
  Member other(host.endpoint(), ticket(2, 3), in(5s));
  host.wait_for_ranks(in(5s));
  const auto begin = steady_clock::now();
  again.reset();
  CHECK(error_of([&] { host.get("nothing", in(20s)); }) ==
        "rank 1 has left while the ranks connected");
  CHECK(error_of([&] { other.get("nothing", in(20s)); }) ==
        "rank 2 has lost the connection to rank 0");
  CHECK(steady_clock::now() < begin + 5s);
}

}  // namespace
}  // namespace knead::rendezvous
