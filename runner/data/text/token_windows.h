#pragma once

#include <memory>

#include "recipe.h"
#include "runner/data/source/source.h"
#include "runner/data/text/token_stream.h"

namespace knead::data {

/// Tokens [begin, end) of a stream.
struct TokenRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// How samples are cut out of a stream: `context` tokens and, as targets, the ones that follow
/// each.
struct Cutting {
  std::uint64_t context = 0;
  bool is_random = false;  // else one window behind the other
  std::uint64_t seed = 0;  // where random windows begin: a function of it, the epoch and the row
};

/// The part of a stream that `rows` means: row numbers count windows of the whole stream, shares
/// count tokens, rounded down. `key` is for messages ("data.train"). Throws knead::Error where the
/// part does not exist or is smaller than a window.
TokenRange part_of(const TokenStream& stream,
                   const std::optional<std::vector<schema::Quantity>>& rows, std::uint64_t context,
                   const std::string& key);

/// Windows of a stream as samples: `tokens` and `targets`, both int64 (context). There are as many
/// as lie one behind the other, also where each begins at a place drawn at random.
class TokenWindows final : public Source {
 public:
  TokenWindows(std::shared_ptr<const TokenStream> stream, TokenRange range, Cutting cutting);

  std::uint64_t rows() const override { return rows_; }
  const std::vector<Field>& fields() const override { return fields_; }
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

 private:
  std::uint64_t begin_of(std::uint64_t row, std::uint64_t epoch) const;

  std::shared_ptr<const TokenStream> stream_;
  TokenRange range_;
  Cutting cutting_;
  std::uint64_t rows_;
  std::vector<Field> fields_;
};

}  // namespace knead::data
