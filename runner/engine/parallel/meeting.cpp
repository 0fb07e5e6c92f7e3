#include "runner/engine/parallel/meeting.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "runner/rendezvous/host.h"
#include "runner/rendezvous/member.h"
#include "schema/document/error.h"

namespace knead::engine::parallel {
namespace {

using rendezvous::Deadline;
using rendezvous::Endpoint;

constexpr std::string_view kTcp = "tcp://";
constexpr std::string_view kTorchrun = "torchrun://";
constexpr const char* kLoopback = "127.0.0.1";

std::chrono::milliseconds in_milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

/// Gives LibTorch the texts of a rendezvous. Gloo only sets, gets and waits for keys.
class TextStore final : public c10d::Store {
 public:
  TextStore(std::unique_ptr<rendezvous::Texts> texts, std::chrono::milliseconds timeout)
      : Store(timeout), texts_(std::move(texts)) {}

  void close() { texts_.reset(); }

  c10::intrusive_ptr<Store> clone() override {
    return c10::intrusive_ptr<Store>::reclaim_copy(this);
  }

  void set(const std::string& key, const std::vector<std::uint8_t>& value) override {
    texts_->set(key, std::string(value.begin(), value.end()));
  }

  std::vector<std::uint8_t> get(const std::string& key) override {
    const std::string value = texts_->get(key, std::chrono::steady_clock::now() + timeout_);
    return {value.begin(), value.end()};
  }

  void wait(const std::vector<std::string>& keys) override { wait(keys, timeout_); }
  void wait(const std::vector<std::string>& keys,
            const std::chrono::milliseconds& timeout) override {
    const Deadline deadline = std::chrono::steady_clock::now() + timeout;
    for (const std::string& key : keys) texts_->get(key, deadline);
  }

  std::int64_t add(const std::string&, std::int64_t) override { return unused(); }
  bool deleteKey(const std::string&) override { return unused() != 0; }
  bool check(const std::vector<std::string>&) override { return unused() != 0; }
  std::int64_t getNumKeys() override { return unused(); }

 private:
  static std::int64_t unused() { C10_THROW_ERROR(NotImplementedError, "Gloo does not use this."); }

  std::unique_ptr<rendezvous::Texts> texts_;
};

/// Waits until something listens at an endpoint. Returns why nothing does if the deadline comes
/// first, else an empty text.
std::string wait_for_listener(const Endpoint& at, Deadline deadline) {
  for (;;) {
    std::string why;
    if (rendezvous::connect_to(at, deadline, why).is_open()) return "";
    if (std::chrono::steady_clock::now() >= deadline) return why;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

/// Returns the store that torchrun keeps for the ranks which it has started.
c10::intrusive_ptr<c10d::Store> store_of_torchrun(const Endpoint& at, const Membership& membership,
                                                  Deadline deadline) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(std::stoi(at.port));
  options.waitWorkers = false;
  options.timeout = in_milliseconds(membership.timeout);
  // Looked for first, because LibTorch writes pages to standard error where nothing listens.
  std::string why = wait_for_listener(at, deadline);
  try {
    if (why.empty()) return c10::make_intrusive<c10d::TCPStore>(at.host, options);
  } catch (const std::exception&) {
    why = "what listens there is another program";
  }
  throw Error(fmt::format("rank {} does not reach the store of torchrun at {}: {}", membership.rank,
                          at.text(), why),
              "torchrun's --rdzv-endpoint must name a machine that this one reaches",
              Exit::rank_lost);
}

/// Returns the address of the network interface that GLOO_SOCKET_IFNAME names, as programs of
/// PyTorch use it; empty if it is not set.
std::string address_of_named_interface() {
  const char* const name = std::getenv("GLOO_SOCKET_IFNAME");
  return name && *name ? rendezvous::address_of_interface(name) : "";
}

/// Returns the address of rank 0 where torchrun names only that of its store.
std::string address_of_first(const Endpoint& store, bool is_one_machine) {
  if (is_one_machine) return kLoopback;
  const std::string named = address_of_named_interface();
  return named.empty() ? rendezvous::address_towards(store.host) : named;
}

/// Meets the other ranks as rank 0.
std::unique_ptr<rendezvous::Texts> host(const Endpoint& at, const rendezvous::Ticket& ticket,
                                        c10d::Store* torchrun, Deadline deadline) {
  auto host = std::make_unique<rendezvous::Host>(at, ticket);
  if (torchrun) torchrun->set("knead " + ticket.run, host->endpoint().text());
  host->wait_for_ranks(deadline);
  return host;
}

/// Meets the other ranks as another than rank 0.
std::unique_ptr<rendezvous::Texts> join(Endpoint at, const rendezvous::Ticket& ticket,
                                        c10d::Store* torchrun, Deadline deadline) {
  if (torchrun) at = rendezvous::endpoint_in(torchrun->get_to_str("knead " + ticket.run));
  return std::make_unique<rendezvous::Member>(at, ticket, deadline);
}

Meeting meet_over_network(const Membership& membership) {
  const std::string_view text = membership.rendezvous;
  const bool is_torchrun = text.starts_with(kTorchrun);
  Endpoint at = rendezvous::endpoint_in(
      std::string(text.substr(is_torchrun ? kTorchrun.size() : kTcp.size())));
  const auto timeout = in_milliseconds(membership.timeout);
  const Deadline deadline = std::chrono::steady_clock::now() + timeout;
  const auto torchrun = is_torchrun ? store_of_torchrun(at, membership, deadline) : nullptr;
  const rendezvous::Ticket ticket{.rank = membership.rank,
                                  .ranks = membership.ranks,
                                  .run = membership.start,
                                  .token = membership.token};
  const bool is_one_machine = membership.local_ranks == membership.ranks;
  if (is_one_machine) at.host = kLoopback;
  if (is_torchrun && membership.rank == 0) at = {address_of_first(at, is_one_machine), "0"};
  auto texts = membership.rank == 0 ? host(at, ticket, torchrun.get(), deadline)
                                    : join(at, ticket, torchrun.get(), deadline);
  const std::string named = is_one_machine ? "" : address_of_named_interface();
  const std::string address = named.empty() ? texts->address() : named;
  return {c10::make_intrusive<TextStore>(std::move(texts), timeout), address};
}

}  // namespace

Meeting meet(const Membership& membership) {
  const std::string& where = membership.rendezvous;
  if (where.starts_with(kTcp) || where.starts_with(kTorchrun)) return meet_over_network(membership);
  auto store = c10::make_intrusive<c10d::FileStore>(where, membership.ranks);
  store->setTimeout(in_milliseconds(membership.timeout));
  // It is never destroyed. The destructor writes to the file, in a thread of LibTorch if that has
  // the last reference, and this process may end meanwhile: other ranks would read the record that
  // is cut off there for ever.
  static_cast<void>(c10::intrusive_ptr<c10d::FileStore>(store).release());
  return {std::move(store), kLoopback};
}

void leave(Meeting& meeting) {
  if (auto* const texts = dynamic_cast<TextStore*>(meeting.store.get())) texts->close();
}

}  // namespace knead::engine::parallel
