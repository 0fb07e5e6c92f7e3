#include "tests/engine/parallel/in_ranks.h"

#include <exception>
#include <thread>
#include <vector>

#include "tests/folder.h"

namespace knead::engine::parallel::tests {

void as_members(int ranks, double timeout,
                const std::function<void(const Membership& membership)>& work,
                const std::string& rendezvous) {
  const knead::tests::Folder folder;
  const std::string file = (folder.path() / "rendezvous").string();
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        work({.rank = rank,
              .ranks = ranks,
              .local_rank = rendezvous.empty() ? rank : 0,
              .local_ranks = rendezvous.empty() ? ranks : 1,
              .rendezvous = rendezvous.empty() ? file : rendezvous,
              .start = "a test",
              .token = "secret",
              .timeout = timeout});
      } catch (...) {
        thrown[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& each : thrown)
    if (each) std::rethrow_exception(each);
}

void in_ranks(int ranks, const std::function<void(Group& group)>& work, double timeout,
              const std::string& rendezvous) {
  const auto in_group = [&](const Membership& membership) {
    Group group(membership);
    work(group);
  };
  as_members(ranks, timeout, in_group, rendezvous);
}

}  // namespace knead::engine::parallel::tests
