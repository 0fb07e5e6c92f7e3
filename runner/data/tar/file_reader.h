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
/// with the first file; afterwards field() does not change, and several threads may call read() at
/// the same time. `file` is always the whole content of a file and need not outlive the call.
class FileReader {
 public:
  virtual ~FileReader() = default;

  /// Takes type and shape from the file of the first sample where the recipe leaves them open.
  /// `name`: the file, for messages, also in read(). Throws knead::Error if the file cannot be read
  /// as its extension says.
  virtual void look_at(std::string_view file, const std::string& name) = 0;

  /// Writes the numbers of a file to `destination`, which has field().bytes_per_sample() bytes.
  /// Throws knead::Error with the name if the file is damaged or its numbers do not fit the field.
  virtual void read(std::string_view file, const std::string& name,
                    std::byte* destination) const = 0;

  /// Returns the field; its shape may be unknown before look_at().
  const Field& field() const { return field_; }

 protected:
  explicit FileReader(Field field) : field_(std::move(field)) {}

  Field field_;
};

/// Makes the reader for the first extension of a field, which the schema has checked: npy for
/// arrays, json, cls or txt for a number or a word, otherwise images. Only the part behind the last
/// dot counts: "seg.png" is an image. `name`: the field.
std::unique_ptr<FileReader> make_reader(const std::string& name, const recipe::TarField& field);

/// Makes a reader of JSON files: a value, or an object with the value under a key. A value is a
/// number, a boolean, a word of the categories, or nested lists of them, which must not be ragged.
/// A field without a shape takes that of the first file, and the others must be nested alike; a
/// shape of the recipe takes as many values in their order. `name`: the field.
std::unique_ptr<FileReader> make_json_reader(const std::string& name,
                                             const recipe::TarField& field);

/// Writes a number as the type of a field. `name`: the file, for messages. Throws knead::Error that
/// names the file if the type cannot hold the number.
void write_number(double number, const Field& field, const std::string& name,
                  std::byte* destination);
/// Writes an integer as the type of a field, without rounding it to a double first. `name`: the
/// file, for messages. Throws knead::Error that names the file if the type cannot hold the integer.
void write_number(std::int64_t number, const Field& field, const std::string& name,
                  std::byte* destination);

}  // namespace knead::data
