#include "runner/engine/generate/written_text.h"

#include <algorithm>

#include "schema/document/source.h"

namespace knead::engine {
namespace {

/// Returns the bytes at the end that may be the beginning of a character.
std::size_t begun_character(const std::string& text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}

/// Returns text with U+FFFD for each byte that is no UTF-8.
std::string readable(const std::string& bytes) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size();) {
    const bool is_plain = static_cast<unsigned char>(bytes[at]) < 0x80;
    const std::size_t length = is_plain ? 1 : schema::sequence_length(bytes, at);
    out += length == 0 ? "\xEF\xBF\xBD" : bytes.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace

bool WrittenText::add(std::uint32_t token) {
  tokens_.push_back(token);
  if (stops_.empty()) return true;
  const std::string all = tokenizer_.decode(tokens_);
  for (const std::string& stop : stops_) {
    const std::size_t found = stop.empty() ? all.npos : all.find(stop);
    if (found != all.npos) end_ = std::min(end_.value_or(found), found);
  }
  return !end_;
}

std::size_t WrittenText::uncertain(const std::string& text) const {
  std::size_t most = begun_character(text);
  for (const std::string& stop : stops_) {
    for (std::size_t size = std::min(stop.size(), text.size()); size > most; --size)
      if (text.compare(text.size() - size, size, stop, 0, size) == 0) most = size;
  }
  return most;
}

std::string WrittenText::next(bool is_over) {
  std::string all = tokenizer_.decode(tokens_);
  if (end_) all.resize(*end_);
  const std::size_t certain = is_over || end_ ? all.size() : all.size() - uncertain(all);
  if (certain <= returned_) return "";
  const std::string part = all.substr(returned_, certain - returned_);
  returned_ = certain;
  return readable(part);
}

std::string WrittenText::text() const {
  std::string all = tokenizer_.decode(tokens_);
  if (end_) all.resize(*end_);
  return readable(all);
}

}  // namespace knead::engine
