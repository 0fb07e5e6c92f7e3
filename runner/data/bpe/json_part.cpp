#include "runner/data/bpe/json_part.h"

#include <algorithm>

#include <fmt/format.h>
#include <simdjson.h>

#include "runner/files/bounded_json.h"
#include "runner/files/read.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

constexpr const char* kRemedy = "name a tokenizer.json of Hugging Face's tokenizers";

/// Returns the place of an offset as "LINE:COLUMN", both counted from 1; columns count characters.
std::string place_in(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto column = std::ranges::count_if(
      before.substr(begin), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return fmt::format("{}:{}", line, column + 1);
}

/// Returns the place of a value as "PATH:LINE:COLUMN", or "PATH" if it cannot be found.
/// nlohmann-json does not keep places, so simdjson parses the text again.
std::string place_of(const JsonFile& file, const std::string& pointer) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string text(file.text);
  simdjson::ondemand::document document;
  simdjson::ondemand::value value;
  const char* at = text.data();
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return file.path;
  if (!pointer.empty()) {
    std::string_view token;
    if (document.at_pointer(pointer).get(value) != simdjson::SUCCESS) return file.path;
    at = value.raw_json_token().data();
  }
  return fmt::format("{}:{}", file.path,
                     place_in(file.text, static_cast<std::size_t>(at - text.data())));
}

/// Returns nlohmann-json's reason for a parse error, without its name and place.
std::string reason_of(const nlohmann::json::parse_error& error) {
  const std::string_view words = error.what();
  const std::size_t begin = words.find(" - ");
  const std::size_t colon = words.find(": ");
  if (begin != words.npos) return std::string(words.substr(begin + 3));
  return std::string(colon == words.npos ? words : words.substr(colon + 2));
}

}  // namespace

JsonFile::JsonFile(const std::filesystem::path& path_, files::Budget& budget)
    : path(path_.string()), text(files::read_text(path_)) {
  try {
    document = files::parse_bounded_json(text, budget);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t offset = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
    throw Error(
        fmt::format("{}:{}: is not JSON: {}", path, place_in(text, offset), reason_of(error)),
        kRemedy);
  }
}

bool JsonPart::has(const char* key) const {
  expect(value_->is_object(), "a block");
  return value_->contains(key) && !value_->at(key).is_null();
}

JsonPart JsonPart::at(const char* key) const {
  if (!has(key)) refuse(fmt::format("has no '{}'", key), kRemedy);
  return {*file_, value_->at(key), fmt::format("{}/{}", pointer_, key)};
}

JsonPart JsonPart::at(std::size_t place) const {
  return {*file_, value_->at(place), fmt::format("{}/{}", pointer_, place)};
}

std::size_t JsonPart::size() const {
  expect(value_->is_array(), "a list");
  return value_->size();
}

std::string JsonPart::text() const {
  expect(value_->is_string(), "a text");
  return value_->get<std::string>();
}

std::string JsonPart::text(const char* key, const std::string& otherwise) const {
  return has(key) ? at(key).text() : otherwise;
}

bool JsonPart::flag(const char* key, bool otherwise) const {
  if (!has(key)) return otherwise;
  const JsonPart part = at(key);
  part.expect(part.value_->is_boolean(), "true or false");
  return part.value_->get<bool>();
}

void JsonPart::refuse(const std::string& what, const std::string& remedy) const {
  throw Error(fmt::format("{}: {}", place_of(*file_, pointer_), what), remedy);
}

void JsonPart::expect(bool is_so, const char* wanted) const {
  if (is_so) return;
  const std::size_t slash = pointer_.rfind('/');
  const std::string name = slash == pointer_.npos ? "the file" : pointer_.substr(1);
  refuse(fmt::format("{} is not {}", name, wanted), kRemedy);
}

}  // namespace knead::data
