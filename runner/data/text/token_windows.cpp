#include "runner/data/text/token_windows.h"

#include <fmt/format.h>

#include "runner/data/source/share.h"
#include "runner/plan/random.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Returns the number of adjacent windows. The last one needs one token more, as its last target.
std::uint64_t windows_in(std::uint64_t tokens, std::uint64_t context) {
  return tokens == 0 ? 0 : (tokens - 1) / context;
}

}  // namespace

TokenRange part_of(const TokenStream& stream,
                   const std::optional<std::vector<schema::Quantity>>& rows, std::uint64_t context,
                   const std::string& key) {
  const std::uint64_t tokens = stream.size();
  TokenRange range{0, tokens};
  if (rows) {
    const schema::Quantity& begin = rows->at(0);
    const schema::Quantity& end = rows->at(1);
    const bool begins_with_row = begin.unit == schema::Unit::rows;
    const bool ends_with_row = end.unit == schema::Unit::rows;
    const std::uint64_t windows = windows_in(tokens, context);
    for (const schema::Quantity* bound : {&begin, &end}) {
      if (bound->unit != schema::Unit::rows || bound->value <= static_cast<double>(windows))
        continue;
      throw Error(fmt::format("{}.rows names window {}, {} has {} of {} tokens", key, bound->value,
                              stream.name(), windows, context),
                  "rows count windows here; shares, as in [0%, 90%], count tokens");
    }
    range.begin = begins_with_row ? static_cast<std::uint64_t>(begin.value) * context
                                  : share_of(begin.value, tokens);
    // A part that ends with window N also has the first token of the next window, as the last
    // target.
    range.end = ends_with_row ? static_cast<std::uint64_t>(end.value) * context + 1
                              : share_of(end.value, tokens);
  }
  if (range.begin + context < range.end) return range;
  throw Error(fmt::format("{} has {} tokens, a sample needs {}", key,
                          range.begin < range.end ? range.end - range.begin : 0, context + 1),
              fmt::format("give it more text than context ({}) and one token more", context));
}

TokenWindows::TokenWindows(std::shared_ptr<const TokenStream> stream, TokenRange range,
                           Cutting cutting)
    : stream_(std::move(stream)),
      range_(range),
      cutting_(cutting),
      rows_(windows_in(range.end - range.begin, cutting.context)) {
  const auto context = static_cast<std::int64_t>(cutting.context);
  fields_ = {{"tokens", Dtype::int64, {context}}, {"targets", Dtype::int64, {context}}};
}

void TokenWindows::read(std::size_t field, const Request& request, std::byte* destination) const {
  auto* out = reinterpret_cast<std::int64_t*>(destination);
  for (const std::uint64_t row : request.rows) {
    stream_->read(begin_of(row, request.epoch) + field, {out, cutting_.context});
    out += cutting_.context;
  }
}

std::uint64_t TokenWindows::begin_of(std::uint64_t row, std::uint64_t epoch) const {
  if (!cutting_.is_random) return range_.begin + row * cutting_.context;
  // A window needs context + 1 tokens, so there are `context` positions fewer than tokens. The
  // remainder favours low positions by a share of places / 2^64, which no training can notice.
  const std::uint64_t places = range_.end - range_.begin - cutting_.context;
  return range_.begin + plan::random_bits(cutting_.seed, plan::Purpose::windows,
                                          static_cast<std::uint32_t>(epoch), row) %
                            places;
}

}  // namespace knead::data
