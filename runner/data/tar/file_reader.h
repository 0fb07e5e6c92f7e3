#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recipe/images.h"
#include "runner/data/source/field.h"

namespace knead::data {

/// Reads the numbers of a field from the files of the samples. look_at() completes the field once,
/// with the first file; afterwards several threads may call read() at the same time.
class FileReader {
 public:
  virtual ~FileReader() = default;

  /// Takes type and shape from the file of the first sample where the recipe leaves them open.
  /// `name`: the file, for messages, also in read().
  virtual void look_at(std::string_view file, const std::string& name) = 0;

  /// Writes the numbers of a file to `destination`. Throws knead::Error with the name if they do
  /// not fit the field.
  virtual void read(std::string_view file, const std::string& name,
                    std::byte* destination) const = 0;

  const Field& field() const { return field_; }

 protected:
  explicit FileReader(Field field) : field_(std::move(field)) {}

  Field field_;
};

/// Makes the reader for the first extension of a field.
std::unique_ptr<FileReader> make_reader(const std::string& name, const recipe::TarField& field);

/// Makes a reader of JSON files: a value, or an object with the value under a key. A value is a
/// number, a word, or nested lists of them.
std::unique_ptr<FileReader> make_json_reader(const std::string& name,
                                             const recipe::TarField& field);

/// Writes a number as the type of a field. Throws knead::Error that names the file if the type
/// cannot hold the number.
void write_number(double number, const Field& field, const std::string& name,
                  std::byte* destination);
/// Writes an integer as the type of a field. Throws knead::Error that names the file if the type
/// cannot hold the integer.
void write_number(std::int64_t number, const Field& field, const std::string& name,
                  std::byte* destination);

}  // namespace knead::data
