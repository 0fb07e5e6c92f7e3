#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/data/source/source.h"
#include "runner/data/text/token_stream.h"
#include "schema/document/quantity.h"

namespace knead::data {

/// Describes the tokens [begin, end) of a stream, counted from its first token.
struct TokenRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Configures how samples are cut out of a stream: a sample is `context` tokens and, as targets,
/// the token after each. So a sample touches context + 1 tokens, and adjacent samples share one.
struct Cutting {
  std::uint64_t context = 0;  // tokens in a sample
  bool is_random = false;     // false: windows follow one another
  std::uint64_t seed = 0;     // determines, with epoch and row, where a random window begins
};

/// Returns the part of a stream that `rows` selects; the whole stream if `rows` is std::nullopt.
/// Row numbers count adjacent windows of the whole stream, shares (in percent) count tokens and
/// round down. A part that ends with a row number also has the token behind its last window, which
/// is the last target. `rows`, if any, has two bounds. `key`: for messages ("data.train"). Throws
/// knead::Error if the part does not exist or has fewer than context + 1 tokens. Reads no tokens.
TokenRange part_of(const TokenStream& stream,
                   const std::optional<std::vector<schema::Quantity>>& rows, std::uint64_t context,
                   const std::string& key);

/// Provides windows of a stream as samples with the fields `tokens` and `targets`, both int64
/// (context): targets[i] is the token after tokens[i]. The number of samples is that of adjacent
/// windows, also if windows begin at random positions. A random position is a function of seed,
/// epoch and row, so it changes from epoch to epoch and not with the order in which rows are read.
/// Tokens behind the last whole window are left out of sequential samples.
class TokenWindows final : public Source {
 public:
  /// `range`: a part that part_of() returned, with at least context + 1 tokens. Shares the stream.
  TokenWindows(std::shared_ptr<const TokenStream> stream, TokenRange range, Cutting cutting);

  std::uint64_t rows() const override { return rows_; }
  const std::vector<Field>& fields() const override { return fields_; }
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

 private:
  /// Returns the position in the stream at which the window of a row begins; `epoch` matters only
  /// if windows begin at random positions.
  std::uint64_t begin_of(std::uint64_t row, std::uint64_t epoch) const;

  std::shared_ptr<const TokenStream> stream_;
  TokenRange range_;
  Cutting cutting_;
  std::uint64_t rows_;
  std::vector<Field> fields_;
};

}  // namespace knead::data
