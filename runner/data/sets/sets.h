#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "recipe.h"
#include "runner/data/bpe/tokenizer.h"
#include "runner/data/source/rows.h"
#include "runner/data/source/source.h"
#include "runner/plan/epoch_order.h"

namespace knead::data {

/// The samples of a set: some rows of a source.
class Set {
 public:
  Set(std::shared_ptr<const Source> source, Rows rows);

  std::uint64_t size() const { return rows_.size(); }
  const std::vector<Field>& fields() const { return source_->fields(); }
  const Rows& rows() const { return rows_; }
  const Source& source() const { return *source_; }

  /// The rows of the source that samples are, counted within the set.
  void find_rows(std::span<const std::uint64_t> samples, std::vector<std::uint64_t>& out) const;

 private:
  std::shared_ptr<const Source> source_;
  Rows rows_;
};

struct Sets {
  Set train;
  std::optional<Set> validation;
  std::optional<Set> test;
  std::shared_ptr<const Tokenizer> tokenizer;  // where sets are made of text
  plan::EpochOrder order = {0, 0, false};      // in which `train` is gone through
};

/// Opens the sets of a recipe; what several sets share is opened once. What a set holds out of
/// another is drawn by the seed, and left out of it.
/// Throws knead::Error where a file cannot be used, or a set would be empty.
Sets read_sets(const recipe::Data& data, std::uint64_t seed);

}  // namespace knead::data
