#pragma once

#include <string>
#include <vector>

#include "runner/rendezvous/ticket.h"

namespace knead::rendezvous {

// How a rank joins. Rank 0 greets whoever connects with a nonce. The rank answers with its ticket,
// a nonce of its own and a proof that it knows the token; rank 0 welcomes it with a proof too, or
// refuses it. Both proofs are over both nonces, so that none of them can be used a second time, and
// the token itself is never sent.

using Message = std::vector<std::string>;

/// Says why rank 0 refuses a rank.
enum class Refusal {
  none,
  other_program,  // it does not speak this protocol, or another version of it
  other_run,      // it belongs to another run, or to another start of this one
  other_ranks,    // it counts the ranks of the run otherwise
  other_token,    // it does not know the token
  present,        // a rank with this number has joined already
};

/// Returns the message with which rank 0 greets.
std::string greeting(const std::string& nonce);

/// Returns the nonce of a greeting; empty if the message is none.
std::string nonce_in(const Message& greeting);

/// Returns the message with which a rank introduces itself.
std::string introduction(const Ticket& ticket, const std::string& nonce_of_host,
                         const std::string& own_nonce);

/// Judges an introduction; `host` is the ticket of rank 0. Sets `rank` to the number of the rank if
/// it is not refused.
Refusal judge_introduction(const Message& introduction, const Ticket& host,
                           const std::string& own_nonce, int& rank);

/// Returns the message that welcomes the rank of an introduction that was not refused.
std::string welcome(const Message& introduction, const Ticket& host, const std::string& own_nonce);

/// Returns the message that refuses a rank.
std::string refusal(Refusal reason);

/// Reads the answer to an introduction. A welcome without the right proof is Refusal::other_token.
Refusal refusal_in(const Message& answer, const Ticket& ticket, const std::string& nonce_of_host,
                   const std::string& own_nonce);

}  // namespace knead::rendezvous
