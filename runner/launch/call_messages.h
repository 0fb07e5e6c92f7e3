#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace knead::launch {

// A WarmEngine and the process that serves its calls send each other these messages, over a socket
// (SOCK_SEQPACKET) between two programs of the same build.

/// Asks for a call, or for a signal to one that was asked for before.
struct CallRequest {
  int call = 0;
  int signal = 0;                  // 0 if the call is to begin
  std::vector<std::string> words;  // of a call that is to begin
  int output = -1;                 // takes its standard output and error; not owned
};

/// Tells that a call has begun, or how its process ended.
struct CallAnswer {
  int call = 0;
  pid_t process = 0;  // of a call that has begun; 0 if it has ended
  bool by_signal = false;
  int number = 0;  // the signal, or the exit code
};

/// Tells whether a message was sent or received, and if not, whether another attempt may succeed.
enum class Delivery { done, nothing_yet, other_side_is_gone };

/// Sends a request. Throws knead::Error if the words are longer than a message may be, or if the
/// system refuses it.
Delivery send_request(int socket, const CallRequest& request);

/// Waits for a request. The caller owns `output`, which is closed on exec. Throws knead::Error if
/// the system refuses it.
Delivery receive_request(int socket, CallRequest& request);

Delivery send_answer(int socket, const CallAnswer& answer);

/// Receives an answer if there is one; does not wait. Answers that were sent before the other side
/// has gone come first.
Delivery receive_answer(int socket, CallAnswer& answer);

}  // namespace knead::launch
