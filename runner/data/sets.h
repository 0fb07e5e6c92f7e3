#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "recipe.h"
#include "runner/data/table.h"

namespace knead::data {

/// The samples of a set: some rows of a table, in the table's order.
class Set {
 public:
  Set(std::shared_ptr<const Table> table, std::vector<std::uint64_t> rows);

  std::uint64_t size() const { return rows_.size(); }
  const std::vector<Field>& fields() const { return table_->fields; }
  const std::vector<std::uint64_t>& rows() const { return rows_; }

  /// Copies one field of some samples, one after another, to `destination`, which must hold
  /// samples.size() × bytes_per_sample(). Samples are counted within the set.
  void gather(const Field& field, std::span<const std::uint64_t> samples,
              std::byte* destination) const;

 private:
  std::shared_ptr<const Table> table_;
  std::vector<std::uint64_t> rows_;
};

struct Sets {
  Set train;
  std::optional<Set> validation;
  std::optional<Set> test;
};

/// Reads the sets of a recipe; a file that several sets share is read once. What a set holds out of
/// another is drawn by the seed, and left out of it.
/// Throws knead::Error where a file cannot be used, or a set would be empty.
Sets read_sets(const recipe::Data& data, std::uint64_t seed);

}  // namespace knead::data
