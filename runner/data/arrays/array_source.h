#pragma once

#include <string>
#include <vector>

#include "runner/data/arrays/convert.h"
#include "runner/data/source/source.h"
#include "runner/files/mapped_file.h"

namespace knead::data {

/// Describes the array that a field reads and the conversion of its numbers. Several fields may
/// read parts of one file: they share its bytes.
struct ArrayField {
  Field field;
  std::string file;  // for messages: "images.npy", "digits.npz: 'images'"
  StoredArray array;
  files::Bytes bytes;  // the whole file; array.begin is the offset of the values
  double scale = 1;    // a number becomes number × scale + offset
  double offset = 0;
};

/// Reads samples from arrays whose first dimension counts them, and converts the numbers while
/// reading. Mapped arrays stay on the disk: only the pages of the samples that are read come into
/// memory. A mapped file must not be truncated while it is used.
class ArraySource final : public Source {
 public:
  /// `arrays`: at least one; each must have passed the check that its values lie within its bytes.
  /// Throws knead::Error if an array is a single number or has no samples, if two arrays differ in
  /// their number of samples, or if the number of values in a sample differs from that of its
  /// field. The shapes themselves may differ: a field reshapes its array.
  explicit ArraySource(std::vector<ArrayField> arrays);

  std::uint64_t rows() const override { return rows_; }
  const std::vector<Field>& fields() const override { return fields_; }
  /// Copies the bytes where type, byte order and scale allow it, and converts number by number
  /// otherwise. Throws knead::Error with sample, number and byte for a number that the type of the
  /// field cannot hold.
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

 private:
  /// Holds the array of a field with all that is computed once for reading it.
  struct Column {
    ArrayField from;
    Conversion conversion;
    std::uint64_t numbers = 0;           // in a sample
    std::vector<std::uint64_t> fortran;  // offsets of a sample's numbers; empty for C order
  };

  /// Converts the numbers of one sample.
  void read_sample(const Column& column, std::uint64_t row, std::byte* destination) const;
  /// Returns the address of the first number of a row.
  const char* place_of(const Column& column, std::uint64_t row) const;
  /// Throws knead::Error for a number that the type of the field cannot hold.
  [[noreturn]] void refuse(const Column& column, std::uint64_t row, std::size_t number,
                           const char* at) const;

  std::uint64_t rows_ = 0;
  std::vector<Field> fields_;
  std::vector<Column> columns_;
};

}  // namespace knead::data
