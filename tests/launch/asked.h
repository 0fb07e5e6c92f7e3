#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace knead::tests {

inline void require(bool is_fine, const char* what) {
  if (is_fine) return;
  std::perror(what);
  std::_Exit(1);
}

/// A socket of messages at a path: `join` is bind or connect.
template <class Join>
int socket_at(const std::string& path, Join join) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  require(path.size() < sizeof address.sun_path, path.c_str());
  path.copy(address.sun_path, path.size());
  const int out = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  require(join(out, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
          path.c_str());
  return out;
}

/// A call of a program as one message: the number of its words, the words, its surroundings
/// (NAME=VALUE), each ended by a zero; with it standard input, output and error, and the folder.
class Message {
 public:
  using Descriptors = std::array<int, 4>;

  explicit Message(std::string text, const Descriptors& descriptors = {})
      : text_(std::move(text)), part_{text_.data(), text_.size()} {
    head_.msg_iov = &part_;
    head_.msg_iovlen = 1;
    head_.msg_control = room_.data();
    head_.msg_controllen = room_.size();
    cmsghdr* rights = CMSG_FIRSTHDR(&head_);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof descriptors);
    std::memcpy(CMSG_DATA(rights), descriptors.data(), sizeof descriptors);
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  void send(int connection) {
    require(sendmsg(connection, &head_, 0) == static_cast<ssize_t>(text_.size()), "sendmsg");
  }

  /// Gives what was sent: a text as long as what there was room for, at most.
  Descriptors receive(int connection, std::vector<std::string>& strings) {
    const ssize_t got = recvmsg(connection, &head_, MSG_CMSG_CLOEXEC);
    require(got > 0 && (head_.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0, "recvmsg");
    for (const char* at = text_.data(); at < text_.data() + got; at += strings.back().size() + 1)
      strings.emplace_back(at);
    Descriptors descriptors{};
    std::memcpy(descriptors.data(), CMSG_DATA(CMSG_FIRSTHDR(&head_)), sizeof descriptors);
    return descriptors;
  }

 private:
  std::string text_;
  iovec part_;
  msghdr head_{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Descriptors))> room_{};
};

}  // namespace knead::tests
