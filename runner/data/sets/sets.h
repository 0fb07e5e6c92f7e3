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

/// Describes the samples of a set: some rows of a source. A sample is counted within the set, a row
/// within the source, and rows() leads from one to the other. Immutable and cheap to move; shares
/// the source.
class Set {
 public:
  /// `rows`: rows of the source, in the order of the set; each must be below source->rows().
  Set(std::shared_ptr<const Source> source, Rows rows);

  /// Returns the number of samples.
  std::uint64_t size() const { return rows_.size(); }
  /// Returns the fields of the source, after transforms.
  const std::vector<Field>& fields() const { return source_->fields(); }
  /// Returns the row of the source for each sample.
  const Rows& rows() const { return rows_; }
  /// Returns the source, whose read() takes rows and not samples: see find_rows().
  const Source& source() const { return *source_; }

  /// Stores in `out` the rows of the source for samples that are counted within the set. Replaces
  /// the content of `out`. Any thread may call this.
  void find_rows(std::span<const std::uint64_t> samples, std::vector<std::uint64_t>& out) const;

 private:
  std::shared_ptr<const Source> source_;
  Rows rows_;
};

/// Holds the open sets of a recipe, ready to be read in any order and by any thread.
struct Sets {
  Set train;
  /// Holds nothing if the recipe has no such set.
  std::optional<Set> validation;
  /// Holds nothing if the recipe has no such set.
  std::optional<Set> test;
  std::shared_ptr<const Tokenizer> tokenizer;  // null unless sets are made of text
  plan::EpochOrder order = {0, 0, false};      // order of `train` within an epoch
};

/// Tells whether the random transforms of the training set are drawn, or left out as in every
/// evaluation. The other sets are always read for an evaluation.
enum class Augmentation { drawn, left_out };

/// Opens the sets of a recipe. Opens a source that several sets share only once, reads tables and
/// encodes text into memory, and checks all files. Sets of images that name no classes take those
/// of the training images, if these have names; if these have only numbers, the other sets must
/// have numbers too, classes that are named by their numbers, or classes in the recipe.
///
/// Rows are selected first by `rows`; then rows that a set holds out of another are drawn by the
/// seed and removed from the other set, first for validation, then for test, so that no sample is
/// in both sets. The order of the training set is shuffled, stored, drawn by the sampler or drawn
/// by the weights of a mix, as the recipe says. The result is a function of the recipe, the files
/// and the seed.
///
/// Throws knead::Error if a file cannot be used, a set would be empty, its classes cannot be
/// numbered as those of the training set, or its fields do not fit a transform, the sampler or the
/// other sets of a mix.
Sets read_sets(const recipe::Data& data, std::uint64_t seed,
               Augmentation augmentation = Augmentation::drawn);

}  // namespace knead::data
