#pragma once

#include <memory>

#include "runner/data/source/source.h"
#include "runner/data/text/token_stream.h"

namespace knead::data {

/// Describes the tokens [begin, end) of a stream.
struct TokenRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Configures how samples are cut out of a stream: `context` tokens and, as targets, the token
/// after each.
struct Cutting {
  std::uint64_t context = 0;  // tokens in a sample
  bool is_random = false;     // false: windows follow one another
  std::uint64_t seed = 0;     // determines, with epoch and row, where a random window begins
};

/// Returns the part of a stream that `rows` selects: row numbers count windows of the whole stream,
/// shares count tokens and round down. `key`: for messages ("data.train"). Throws knead::Error if
/// the part does not exist or is smaller than a window.
TokenRange part_of(const TokenStream& stream,
                   const std::optional<std::vector<schema::Quantity>>& rows, std::uint64_t context,
                   const std::string& key);

/// Provides windows of a stream as samples with the fields `tokens` and `targets`, both int64
/// (context). The number of samples is that of adjacent windows, also if windows begin at random
/// positions.
class TokenWindows final : public Source {
 public:
  TokenWindows(std::shared_ptr<const TokenStream> stream, TokenRange range, Cutting cutting);

  std::uint64_t rows() const override { return rows_; }
  const std::vector<Field>& fields() const override { return fields_; }
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

 private:
  /// Returns the position in the stream at which the window of a row begins.
  std::uint64_t begin_of(std::uint64_t row, std::uint64_t epoch) const;

  std::shared_ptr<const TokenStream> stream_;
  TokenRange range_;
  Cutting cutting_;
  std::uint64_t rows_;
  std::vector<Field> fields_;
};

}  // namespace knead::data
