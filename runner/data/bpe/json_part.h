#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "runner/files/budget.h"

namespace knead::data {

/// Holds the text of a JSON file and its parsed document. The text is kept to find lines and
/// columns for messages.
struct JsonFile {
  /// Reads and parses the file within a budget. Throws knead::Error with line and column if the
  /// file is not JSON, and if it cannot be read.
  JsonFile(const std::filesystem::path& path, files::Budget& budget);

  std::string path;
  std::string text;
  nlohmann::json document;
};

/// Refers to a value of a JSON file together with its place, so that errors name line and column.
/// Borrows the file, which must outlive it and stay in its place; cheap to copy. Finding the place
/// costs a second parse, and is done only for an error.
class JsonPart {
 public:
  /// Refers to the whole document of a file.
  explicit JsonPart(const JsonFile& file) : JsonPart(file, file.document, "") {}

  /// Returns the value as it was parsed.
  const nlohmann::json& value() const { return *value_; }
  /// Returns the path of the file.
  const std::string& file() const { return file_->path; }

  /// Returns whether a key exists and its value is not null. Throws knead::Error if this value is
  /// not an object.
  bool has(const char* key) const;

  /// Returns the value of a key. Throws knead::Error if the key is missing or its value is null.
  JsonPart at(const char* key) const;

  /// Returns the item of a list at an index below size(). A greater index throws an exception of
  /// nlohmann-json.
  JsonPart at(std::size_t place) const;
  /// Returns the length of a list. Throws knead::Error if this value is not a list.
  std::size_t size() const;

  /// Returns this value as text. Throws knead::Error if it is not a string.
  std::string text() const;
  /// Returns the text of a key; `otherwise` if the key is missing or null. Throws knead::Error if
  /// its value is not a string.
  std::string text(const char* key, const std::string& otherwise) const;
  /// Returns the boolean of a key; `otherwise` if the key is missing or null. Throws knead::Error
  /// if its value is not a boolean.
  bool flag(const char* key, bool otherwise) const;

  /// Throws knead::Error with the text "FILE:LINE:COLUMN: what", or "FILE: what" if the place
  /// cannot be found. Lines and columns are counted from 1, columns in characters.
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;

 private:
  JsonPart(const JsonFile& file, const nlohmann::json& value, std::string pointer)
      : file_(&file), value_(&value), pointer_(std::move(pointer)) {}

  /// Throws knead::Error if this value is not what is `wanted`.
  void expect(bool is_so, const char* wanted) const;

  const JsonFile* file_;
  const nlohmann::json* value_;
  std::string pointer_;  // JSON pointer of the value (RFC 6901)
};

}  // namespace knead::data
