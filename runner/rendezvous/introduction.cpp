#include "runner/rendezvous/introduction.h"

#include <charconv>

#include "runner/rendezvous/message.h"

namespace knead::rendezvous {
namespace {

/// Names the protocol and its version; another program on the port would not send it.
constexpr const char* kProtocol = "knead rendezvous 1";

std::string proof_of_rank(const Ticket& ticket, const std::string& nonce_of_host,
                          const std::string& nonce_of_rank) {
  return prove(ticket.token, pack({kProtocol, "joins", nonce_of_host, nonce_of_rank, ticket.run,
                                   std::to_string(ticket.rank), std::to_string(ticket.ranks)}));
}

std::string proof_of_host(const std::string& token, const std::string& run,
                          const std::string& nonce_of_host, const std::string& nonce_of_rank) {
  return prove(token, pack({kProtocol, "welcomes", nonce_of_host, nonce_of_rank, run}));
}

/// Returns the number that a text is; -1 for other texts.
int number_in(const std::string& text) {
  int number = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : -1;
}

/// Names the parts of an introduction.
enum Part { kWord, kRun, kRank, kRanks, kNonce, kProof, kParts };

}  // namespace

std::string greeting(const std::string& nonce) { return message_of({kProtocol, nonce}); }

std::string nonce_in(const Message& greeting) {
  return greeting.size() == 2 && greeting[0] == kProtocol ? greeting[1] : "";
}

std::string introduction(const Ticket& ticket, const std::string& nonce_of_host,
                         const std::string& own_nonce) {
  return message_of({kProtocol, ticket.run, std::to_string(ticket.rank),
                     std::to_string(ticket.ranks), own_nonce,
                     proof_of_rank(ticket, nonce_of_host, own_nonce)});
}

Refusal judge_introduction(const Message& introduction, const Ticket& host,
                           const std::string& own_nonce, int& rank) {
  if (introduction.size() != kParts || introduction[kWord] != kProtocol)
    return Refusal::other_program;
  if (introduction[kRun] != host.run) return Refusal::other_run;
  const Ticket claimed{.rank = number_in(introduction[kRank]),
                       .ranks = number_in(introduction[kRanks]),
                       .run = host.run,
                       .token = host.token};
  if (!is_equal(introduction[kProof], proof_of_rank(claimed, own_nonce, introduction[kNonce])))
    return Refusal::other_token;
  if (claimed.ranks != host.ranks || claimed.rank < 1 || claimed.rank >= host.ranks)
    return Refusal::other_ranks;
  rank = claimed.rank;
  return Refusal::none;
}

std::string welcome(const Message& introduction, const Ticket& host, const std::string& own_nonce) {
  return message_of(
      {"welcome", proof_of_host(host.token, host.run, own_nonce, introduction[kNonce])});
}

std::string refusal(Refusal reason) {
  return message_of({"refused", std::to_string(static_cast<int>(reason))});
}

Refusal refusal_in(const Message& answer, const Ticket& ticket, const std::string& nonce_of_host,
                   const std::string& own_nonce) {
  if (answer.size() != 2) return Refusal::other_program;
  if (answer[0] == "welcome") {
    const std::string proof = proof_of_host(ticket.token, ticket.run, nonce_of_host, own_nonce);
    return is_equal(answer[1], proof) ? Refusal::none : Refusal::other_token;
  }
  const int reason = answer[0] == "refused" ? number_in(answer[1]) : -1;
  if (reason <= static_cast<int>(Refusal::none) || reason > static_cast<int>(Refusal::present))
    return Refusal::other_program;
  return static_cast<Refusal>(reason);
}

}  // namespace knead::rendezvous
