#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recipe.h"
#include "runner/data/source/field.h"

namespace knead::data {

/// How the files of a field become its numbers. The field is set once, by the first file; then
/// threads may read at the same time.
class FileReader {
 public:
  virtual ~FileReader() = default;

  /// Looks at the file of the first sample: what the recipe leaves open is as it is there. `name`:
  /// the file, for messages, here and below.
  virtual void look_at(std::string_view file, const std::string& name) = 0;

  /// Writes the numbers of a file. Throws knead::Error with the name where they are not those of
  /// the field.
  virtual void read(std::string_view file, const std::string& name,
                    std::byte* destination) const = 0;

  const Field& field() const { return field_; }

 protected:
  explicit FileReader(Field field) : field_(std::move(field)) {}

  Field field_;
};

/// The reader that the extensions of a field ask for, of which the first counts.
std::unique_ptr<FileReader> make_reader(const std::string& name, const recipe::TarField& field);

/// A file of a JSON value, or an object with one; numbers, and lists of them, or words.
std::unique_ptr<FileReader> make_json_reader(const std::string& name,
                                             const recipe::TarField& field);

/// Writes one number as the type of a field; throws knead::Error that names the file where it
/// cannot hold it.
void write_number(double number, const Field& field, const std::string& name,
                  std::byte* destination);
void write_number(std::int64_t number, const Field& field, const std::string& name,
                  std::byte* destination);

}  // namespace knead::data
