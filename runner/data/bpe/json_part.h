#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace knead::data {

/// A file in JSON, in memory.
struct JsonFile {
  /// Throws knead::Error with line and column where the file is not JSON.
  explicit JsonFile(const std::filesystem::path& path);

  std::string path;
  std::string text;
  nlohmann::json document;
};

/// A value in a file, which knows where it stands.
class JsonPart {
 public:
  explicit JsonPart(const JsonFile& file) : JsonPart(file, file.document, "") {}

  const nlohmann::json& value() const { return *value_; }
  const std::string& file() const { return file_->path; }

  /// Whether the key is there, and says more than null.
  bool has(const char* key) const;

  /// The value of a key; refuses this part where it is missing or null.
  JsonPart at(const char* key) const;

  /// The values of a list; refuses another value.
  JsonPart at(std::size_t place) const;
  std::size_t size() const;

  /// A text, a flag: what a key says, or what it says where it is missing or null.
  std::string text() const;
  std::string text(const char* key, const std::string& otherwise) const;
  bool flag(const char* key, bool otherwise) const;

  /// Throws knead::Error: "FILE:LINE:COLUMN: what".
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;

 private:
  JsonPart(const JsonFile& file, const nlohmann::json& value, std::string pointer)
      : file_(&file), value_(&value), pointer_(std::move(pointer)) {}

  void expect(bool is_so, const char* wanted) const;

  const JsonFile* file_;
  const nlohmann::json* value_;
  std::string pointer_;  // of RFC 6901
};

}  // namespace knead::data
