#include "runner/peers/secrets.h"

#include <algorithm>
#include <array>

namespace knead::peers {
namespace {

bool is_secret(std::string_view path) {
  static constexpr std::array<std::string_view, 8> kWords{"api_key",  "hub_token", "hf_token",
                                                          "password", "secret",    "auth_token",
                                                          "webhook",  "access_key"};
  // Not "token" anywhere: pad_token and tokens_per_batch are none. npos + 1 is 0.
  const std::string_view key = path.substr(path.rfind('.') + 1);
  return key == "token" || key == "wandb_key" ||
         std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return path.find(word) != path.npos; });
}

}  // namespace

bool holds_secret(std::string_view path, const schema::Node& value) {
  if (is_secret(path)) return value.kind != schema::Node::Kind::boolean;
  return std::any_of(value.items.begin(), value.items.end(),
                     [](const schema::Node& item) { return holds_secret("", item); }) ||
         std::any_of(value.entries.begin(), value.entries.end(), [](const schema::Entry& entry) {
           return holds_secret(entry.key, entry.value);
         });
}

}  // namespace knead::peers
