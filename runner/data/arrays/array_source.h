#pragma once

#include <string>
#include <vector>

#include "runner/data/arrays/convert.h"
#include "runner/data/source/source.h"
#include "runner/files/mapped_file.h"

namespace knead::data {

/// An array that a field is read from.
struct ArrayField {
  Field field;
  std::string file;  // for messages: "images.npy", "digits.npz: 'images'"
  StoredArray array;
  files::Bytes bytes;  // of the whole file; the array says where its values begin
  double scale = 1;
  double offset = 0;
};

/// Samples in arrays whose first dimension counts them, converted while they are read. What is
/// mapped stays on the disk.
class ArraySource final : public Source {
 public:
  /// Throws knead::Error where an array has no samples, not as many as the others, or samples of
  /// another size than the field.
  explicit ArraySource(std::vector<ArrayField> arrays);

  std::uint64_t rows() const override { return rows_; }
  const std::vector<Field>& fields() const override { return fields_; }
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

 private:
  struct Column {
    ArrayField from;
    Conversion conversion;
    std::uint64_t numbers = 0;           // in a sample
    std::vector<std::uint64_t> fortran;  // where a sample's numbers lie, behind its first one
  };

  void read_sample(const Column& column, std::uint64_t row, std::byte* destination) const;
  const char* place_of(const Column& column, std::uint64_t row) const;
  [[noreturn]] void refuse(const Column& column, std::uint64_t row, std::size_t number,
                           const char* at) const;

  std::uint64_t rows_ = 0;
  std::vector<Field> fields_;
  std::vector<Column> columns_;
};

}  // namespace knead::data
