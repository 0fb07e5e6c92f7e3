#include "runner/data/arrays/array_source.h"

#include <cstring>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Throws knead::Error if an array has no samples or the size of a sample differs from that of its
/// field.
void check_shape(const ArrayField& from) {
  const auto& shape = from.array.shape;
  if (shape.empty()) {
    throw Error(from.file + " holds a single number, not samples",
                "the first dimension of an array counts samples");
  }
  if (shape[0] == 0) throw Error(from.file + ": no samples", "give a file with samples");
  std::uint64_t numbers = 1;
  for (const std::int64_t size : from.field.shape) {
    // A product that overflows cannot be the size of an array that exists, so it is made to differ.
    if (__builtin_mul_overflow(numbers, static_cast<std::uint64_t>(size), &numbers)) numbers = 0;
  }
  if (numbers == from.array.numbers_per_sample()) return;
  throw Error(fmt::format("{}: a sample is {}, the field '{}' is {}", from.file,
                          shape_words(from.array.sample_shape()), from.field.name,
                          shape_words(from.field.shape)),
              "a shape in a recipe holds as many numbers as the file's");
}

/// Returns the offsets of the numbers of a sample in row-major order, counted in numbers from the
/// first one, for an array whose first dimension runs fastest.
std::vector<std::uint64_t> fortran_places(const std::vector<std::int64_t>& shape) {
  std::vector<std::uint64_t> places{0};
  std::uint64_t stride = static_cast<std::uint64_t>(shape[0]);
  for (std::size_t i = 1; i < shape.size(); ++i) {
    // The offset of (…, k) is that of (…) plus k strides; later dimensions have longer strides.
    std::vector<std::uint64_t> next;
    for (const std::uint64_t place : places) {
      for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(shape[i]); ++k)
        next.push_back(place + k * stride);
    }
    places = std::move(next);
    stride *= static_cast<std::uint64_t>(shape[i]);
  }
  return places;
}

/// Throws knead::Error if the offsets of a sample's numbers would take more than half a GB.
void expect_fortran_fits(const ArrayField& from, std::uint64_t numbers) {
  constexpr std::uint64_t kMostNumbers = 32 << 20;
  if (numbers <= kMostNumbers) return;
  throw Error(fmt::format("{}: a sample of {} numbers is in Fortran order, and {} are the most",
                          from.file, numbers, kMostNumbers),
              "numpy.ascontiguousarray turns it around");
}

}  // namespace

ArraySource::ArraySource(std::vector<ArrayField> arrays) {
  for (ArrayField& from : arrays) {
    check_shape(from);
    if (columns_.empty()) rows_ = from.array.samples();
    if (from.array.samples() != rows_) {
      throw Error(fmt::format("{} has {} samples, {} has {}", columns_[0].from.file, rows_,
                              from.file, from.array.samples()),
                  "all arrays of a set have the same first dimension");
    }
    fields_.push_back(from.field);
    Column column;
    column.conversion = {from.array.type, from.array.is_big_endian, from.field.dtype, from.scale,
                         from.offset};
    column.numbers = from.array.numbers_per_sample();
    if (from.array.is_fortran && from.array.shape.size() > 1) {
      expect_fortran_fits(from, column.numbers);
      column.fortran = fortran_places(from.array.shape);
    }
    column.from = std::move(from);
    columns_.push_back(std::move(column));
  }
}

const char* ArraySource::place_of(const Column& column, std::uint64_t row) const {
  // In Fortran order the first numbers of all samples are adjacent.
  const std::uint64_t numbers = column.fortran.empty() ? column.numbers : 1;
  return column.from.bytes.view.data() + column.from.array.begin +
         row * numbers * bytes_of(column.from.array.type);
}

void ArraySource::read_sample(const Column& column, std::uint64_t row,
                              std::byte* destination) const {
  const char* begin = place_of(column, row);
  if (column.fortran.empty()) {
    const auto wrong = convert(column.conversion, begin, column.numbers, destination);
    if (wrong) refuse(column, row, *wrong, begin + *wrong * bytes_of(column.from.array.type));
    return;
  }
  const std::size_t bytes = bytes_of(column.from.field.dtype);
  for (std::size_t i = 0; i < column.fortran.size(); ++i) {
    const char* at = begin + column.fortran[i] * bytes_of(column.from.array.type);
    if (convert(column.conversion, at, 1, destination + i * bytes)) refuse(column, row, i, at);
  }
}

void ArraySource::read(std::size_t field, const Request& request, std::byte* destination) const {
  const Column& column = columns_[field];
  const std::size_t bytes = fields_[field].bytes_per_sample();
  const bool is_plain = is_copy(column.conversion) && column.fortran.empty();
  for (const std::uint64_t row : request.rows) {
    if (is_plain) {
      std::memcpy(destination, place_of(column, row), bytes);
    } else {
      read_sample(column, row, destination);
    }
    destination += bytes;
  }
}

void ArraySource::refuse(const Column& column, std::uint64_t row, std::size_t number,
                         const char* at) const {
  const ArrayField& from = column.from;
  const std::string made = from.scale == 1 && from.offset == 0 ? "" : ", scaled,";
  throw Error(fmt::format("{}: sample {}: {}{} does not fit {} (number {} of the sample, byte {})",
                          from.file, row, number_at(from.array.type, from.array.is_big_endian, at),
                          made, word_of(from.field.dtype), number, at - from.bytes.view.data()),
              misfit_remedy(from.field, true));
}

}  // namespace knead::data
