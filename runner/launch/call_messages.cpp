#include "runner/launch/call_messages.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <sys/socket.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::launch {
namespace {

/// The longest request: the buffer of a socket holds 200 KB if nobody has made it smaller.
constexpr std::size_t kLongest = 128 << 10;

/// The numbers in front of the words of a request.
struct RequestHead {
  int call;
  int signal;
};

/// Holds a message that may carry a descriptor.
class Message {
 public:
  explicit Message(std::string& text) : part_{text.data(), text.size()} {
    head_.msg_iov = &part_;
    head_.msg_iovlen = 1;
    head_.msg_control = room_.data();
    head_.msg_controllen = room_.size();
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  void carry(int descriptor) {
    if (descriptor < 0) {
      head_.msg_controllen = 0;
      return;
    }
    cmsghdr* const rights = CMSG_FIRSTHDR(&head_);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  }

  /// Returns the descriptor that came with the message; -1 if none did.
  int carried() {
    const cmsghdr* const rights = CMSG_FIRSTHDR(&head_);
    if (!rights || rights->cmsg_type != SCM_RIGHTS) return -1;
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(rights), sizeof descriptor);
    return descriptor;
  }

  msghdr& head() { return head_; }

 private:
  iovec part_;
  msghdr head_{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room_{};
};

/// Returns what an error of the socket means. Throws knead::Error for one that says nothing about
/// the other side.
Delivery after(int error) {
  if (error == EAGAIN || error == EWOULDBLOCK) return Delivery::nothing_yet;
  if (error == EPIPE || error == ECONNRESET) return Delivery::other_side_is_gone;
  throw Error(fmt::format("cannot talk with the engine: {}", std::strerror(error)),
              "start again; a run goes on from its last checkpoint", Exit::rank_lost);
}

template <class Call>
ssize_t repeat_if_interrupted(Call call) {
  ssize_t result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

}  // namespace

Delivery send_request(int socket, const CallRequest& request) {
  const RequestHead numbers{request.call, request.signal};
  std::string text(reinterpret_cast<const char*>(&numbers), sizeof numbers);
  for (const std::string& word : request.words) (text += word) += '\0';
  if (text.size() > kLongest)
    throw Error(fmt::format("a call of the engine has {} bytes of words, of {} that are possible",
                            text.size(), kLongest),
                "shorten the overrides", Exit::invalid_recipe);
  Message message(text);
  message.carry(request.output);
  const ssize_t sent =
      repeat_if_interrupted([&] { return sendmsg(socket, &message.head(), MSG_NOSIGNAL); });
  return sent < 0 ? after(errno) : Delivery::done;
}

Delivery receive_request(int socket, CallRequest& request) {
  std::string text(kLongest, '\0');
  Message message(text);
  const ssize_t got =
      repeat_if_interrupted([&] { return recvmsg(socket, &message.head(), MSG_CMSG_CLOEXEC); });
  if (got < 0) return after(errno);
  if (got < static_cast<ssize_t>(sizeof(RequestHead))) return Delivery::other_side_is_gone;
  RequestHead numbers{};
  std::memcpy(&numbers, text.data(), sizeof numbers);
  request = {
      .call = numbers.call, .signal = numbers.signal, .words = {}, .output = message.carried()};
  std::string_view rest = std::string_view(text).substr(sizeof numbers, got - sizeof numbers);
  while (!rest.empty()) {
    request.words.emplace_back(rest.substr(0, rest.find('\0')));
    rest.remove_prefix(request.words.back().size() + 1);
  }
  return Delivery::done;
}

Delivery send_answer(int socket, const CallAnswer& answer) {
  const ssize_t sent =
      repeat_if_interrupted([&] { return send(socket, &answer, sizeof answer, MSG_NOSIGNAL); });
  return sent < 0 ? after(errno) : Delivery::done;
}

Delivery receive_answer(int socket, CallAnswer& answer) {
  const auto receive = [&] { return recv(socket, &answer, sizeof answer, MSG_DONTWAIT); };
  ssize_t got = repeat_if_interrupted(receive);
  // Says, once, that the other side has gone without reading all; its answers are still there.
  if (got < 0 && errno == ECONNRESET) got = repeat_if_interrupted(receive);
  if (got < 0) return after(errno);
  return got == sizeof answer ? Delivery::done : Delivery::other_side_is_gone;
}

}  // namespace knead::launch
