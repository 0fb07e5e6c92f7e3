#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runner/data/source/rows.h"
#include "runner/data/source/source.h"

namespace knead::data {

/// A set of a mix: some rows of a source.
struct MixPart {
  std::string name;  // "data.train.of.1"
  std::shared_ptr<const Source> source;
  Rows rows;
};

/// The sets of a mix as one source, one behind the other. Its fields are those of the first, and
/// the others have the same.
class MixSource final : public Source {
 public:
  /// Throws knead::Error where the fields of two parts differ.
  explicit MixSource(std::vector<MixPart> parts);

  std::uint64_t rows() const override { return ends_.back(); }
  const std::vector<Field>& fields() const override { return parts_[0].source->fields(); }
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

  /// Of each part, the row behind its last one.
  const std::vector<std::uint64_t>& ends() const { return ends_; }

 private:
  std::size_t part_of(std::uint64_t row) const;
  std::size_t read_together(std::size_t field, const Request& request, std::size_t begin,
                            std::byte* destination) const;

  std::vector<MixPart> parts_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::vector<std::size_t>> places_;  // by part and field: which of its fields that is
};

}  // namespace knead::data
