#include "runner/rendezvous/message.h"

#include <catch2/catch.hpp>

namespace knead::rendezvous {
namespace {

using Texts = std::vector<std::string>;

const Texts kTexts{"set", std::string("a\0b\n", 4), "", std::string(300, 'x')};

std::string bytes_of_texts() { return message_of({kTexts[0], kTexts[1], kTexts[2], kTexts[3]}); }

TEST_CASE("A message arrives as it was sent, however it is cut on the way", "[rendezvous]") {
  const std::string bytes = bytes_of_texts() + message_of({"next"});
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    Inbox inbox;
    bool is_broken = false;
    Texts received;
    inbox.add(bytes.substr(0, cut));
    while (const auto message = inbox.take(kLongestMessage, is_broken))
      received.insert(received.end(), message->begin(), message->end());
    CHECK_FALSE(is_broken);
    inbox.add(bytes.substr(cut));
    while (const auto message = inbox.take(kLongestMessage, is_broken))
      received.insert(received.end(), message->begin(), message->end());
    CHECK_FALSE(is_broken);
    Texts expected = kTexts;
    expected.push_back("next");
    CHECK(received == expected);
  }
}

TEST_CASE("A message that is too long, empty or torn is broken", "[rendezvous]") {
  const auto is_broken = [](const std::string& bytes, std::size_t longest) {
    Inbox inbox;
    inbox.add(bytes);
    bool broken = false;
    const auto message = inbox.take(longest, broken);
    return broken && !message;
  };
  const std::string bytes = bytes_of_texts();
  CHECK_FALSE(is_broken(bytes, bytes.size() - 4));
  CHECK(is_broken(bytes, bytes.size() - 5));
  CHECK(is_broken("GET / HTTP/1.1\r\nHost: a\r\n\r\n", kLongestMessage));
  CHECK(is_broken(std::string(4, '\0'), kLongestMessage));
  CHECK(is_broken(std::string(4, '\xff'), kLongestMessage));
  std::string inner_length = bytes;
  inner_length[4] = '\x7f';
  CHECK(is_broken(inner_length, kLongestMessage));
  std::string outer_length = bytes;
  --outer_length[0];
  CHECK(is_broken(outer_length, kLongestMessage));
}

TEST_CASE("Two lists of texts never pack to the same bytes", "[rendezvous]") {
  CHECK(pack({"ab", "c"}) != pack({"a", "bc"}));
  CHECK(pack({"ab"}) != pack({"ab", ""}));
}

}  // namespace
}  // namespace knead::rendezvous
