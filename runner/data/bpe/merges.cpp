#include "runner/data/bpe/merges.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace knead::data {
namespace {

constexpr std::int32_t kNone = -1;

/// A token in a piece that is being joined together, with its neighbours.
struct Link {
  std::uint32_t token;
  std::int32_t before;
  std::int32_t after;
};

/// Two neighbours that may be joined; both are still what they were if their tokens are.
struct Candidate {
  std::uint32_t rank;
  std::int32_t left;
  std::int32_t right;
  std::uint32_t token;  // that they become
  std::uint32_t left_token;
  std::uint32_t right_token;

  /// The lowest rank first, from the left.
  bool operator<(const Candidate& other) const {
    return std::tie(rank, left) > std::tie(other.rank, other.left);
  }
};

}  // namespace

bool Merges::add(std::string bytes, std::uint32_t token) {
  const auto [place, is_new] = tokens_.emplace(std::move(bytes), token);
  if (!is_new) return place->second == token;
  bytes_[token] = place->first;
  size_ = std::max<std::uint64_t>(size_, token + 1ULL);
  return true;
}

bool Merges::join(std::string_view left, std::string_view right) {
  const auto a = find(left);
  const auto b = find(right);
  const auto whole = find(std::string(left) + std::string(right));
  if (!a || !b || !whole) return false;
  const auto rank = static_cast<std::uint32_t>(joins_.size());
  joins_.emplace((std::uint64_t{*a} << 32) | *b, Join{rank, *whole});
  return true;
}

std::optional<std::uint32_t> Merges::find(std::string_view bytes) const {
  const auto found = tokens_.find(bytes);
  return found == tokens_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Merges::Join> Merges::join_of(std::uint32_t left, std::uint32_t right) const {
  if (by_number_) {
    const auto whole = find(std::string(bytes_.at(left)) + std::string(bytes_.at(right)));
    return whole ? std::optional(Join{*whole, *whole}) : std::nullopt;
  }
  const auto found = joins_.find((std::uint64_t{left} << 32) | right);
  return found == joins_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> Merges::encode(std::string_view piece,
                                          std::vector<std::uint32_t>& out) const {
  if (keep_whole_) {
    if (const auto whole = find(piece)) {
      out.push_back(*whole);
      return std::nullopt;
    }
  }
  std::vector<std::uint32_t> tokens;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const auto token = find(piece.substr(i, 1));
    if (!token) return i;
    tokens.push_back(*token);
  }
  join_all(tokens);
  out.insert(out.end(), tokens.begin(), tokens.end());
  return std::nullopt;
}

void Merges::join_all(std::vector<std::uint32_t>& tokens) const {
  const auto count = static_cast<std::int32_t>(tokens.size());
  std::vector<Link> links;
  for (std::int32_t i = 0; i < count; ++i)
    links.push_back({tokens[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : kNone});
  const auto link = [&](std::int32_t place) -> Link& {
    return links[static_cast<std::size_t>(place)];
  };
  std::vector<bool> is_gone(tokens.size());
  std::priority_queue<Candidate> candidates;
  const auto consider = [&](std::int32_t left) {
    const std::int32_t right = left == kNone ? kNone : link(left).after;
    if (right == kNone) return;
    if (const auto join = join_of(link(left).token, link(right).token))
      candidates.push({join->rank, left, right, join->token, link(left).token, link(right).token});
  };
  for (std::int32_t i = 0; i + 1 < count; ++i) consider(i);
  while (!candidates.empty()) {
    const Candidate next = candidates.top();
    candidates.pop();
    Link& left = link(next.left);
    const bool is_as_it_was = !is_gone[static_cast<std::size_t>(next.left)] &&
                              left.after == next.right && left.token == next.left_token &&
                              link(next.right).token == next.right_token;
    if (!is_as_it_was) continue;
    left.token = next.token;
    left.after = link(next.right).after;
    is_gone[static_cast<std::size_t>(next.right)] = true;
    if (left.after != kNone) link(left.after).before = next.left;
    consider(left.before);
    consider(next.left);
  }
  tokens.clear();
  for (std::int32_t i = 0; i != kNone && i < count; i = link(i).after)
    tokens.push_back(link(i).token);
}

}  // namespace knead::data
