#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runner/data/source/rows.h"
#include "runner/data/source/source.h"

namespace knead::data {

/// Describes a set of a mix: some rows of a source, which may be shared with other sets.
struct MixPart {
  std::string name;  // "data.train.of.1"
  std::shared_ptr<const Source> source;
  Rows rows;
};

/// Joins the sets of a mix to one source, one behind the other: row 0 is the first selected row of
/// the first set. All sets have the same fields; their order is that of the first set. How often
/// each set is drawn is not decided here but by plan::MixDraw, which gives each row of a request
/// its turn.
class MixSource final : public Source {
 public:
  /// `parts`: at least one. Throws knead::Error if the fields of two sets differ in name, type or
  /// shape; their order may differ.
  explicit MixSource(std::vector<MixPart> parts);

  std::uint64_t rows() const override { return ends_.back(); }
  const std::vector<Field>& fields() const override { return parts_[0].source->fields(); }
  /// Reads rows that follow one another in one set with one call of its source. If the request has
  /// turns, the set sees round and position of its own instead of those of the epoch, so that its
  /// random draws do not depend on the other sets.
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

  /// Returns the end of each set, in rows of this source: ascending, and the last one is rows().
  const std::vector<std::uint64_t>& ends() const { return ends_; }

 private:
  /// Returns the index of the set that a row belongs to.
  std::size_t part_of(std::uint64_t row) const;
  /// Reads the rows from index `begin` of the request on that lie in one set and follow one another
  /// in its order. Returns their number.
  std::size_t read_together(std::size_t field, const Request& request, std::size_t begin,
                            std::byte* destination) const;

  std::vector<MixPart> parts_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::vector<std::size_t>> places_;  // by set and field: index in the set
};

}  // namespace knead::data
