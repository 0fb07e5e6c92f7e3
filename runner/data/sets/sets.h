#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "recipe/data.h"
#include "runner/data/bpe/tokenizer.h"
#include "runner/data/source/rows.h"
#include "runner/data/source/source.h"
#include "runner/plan/epoch_order.h"

namespace knead::data {

/// Describes the samples of a set: some rows of a source.
class Set {
 public:
  /// `rows`: rows of the source, in the order of the set.
  Set(std::shared_ptr<const Source> source, Rows rows);

  /// Returns the number of samples.
  std::uint64_t size() const { return rows_.size(); }
  const std::vector<Field>& fields() const { return source_->fields(); }
  const Rows& rows() const { return rows_; }
  const Source& source() const { return *source_; }

  /// Stores in `out` the rows of the source for samples that are counted within the set.
  void find_rows(std::span<const std::uint64_t> samples, std::vector<std::uint64_t>& out) const;

 private:
  std::shared_ptr<const Source> source_;
  Rows rows_;
};

/// Holds the open sets of a recipe.
struct Sets {
  Set train;
  std::optional<Set> validation;
  std::optional<Set> test;
  std::shared_ptr<const Tokenizer> tokenizer;  // null unless sets are made of text
  plan::EpochOrder order = {0, 0, false};      // order of `train` within an epoch
};

/// Tells whether the random transforms of the training set are drawn, or left out as in every
/// evaluation. The other sets are always read for an evaluation.
enum class Augmentation { drawn, left_out };

/// Opens the sets of a recipe. Opens a source that several sets share only once. Rows that a set
/// holds out of another are drawn by the seed and removed from the other set. Throws knead::Error
/// if a file cannot be used or a set would be empty.
Sets read_sets(const recipe::Data& data, std::uint64_t seed,
               Augmentation augmentation = Augmentation::drawn);

}  // namespace knead::data
