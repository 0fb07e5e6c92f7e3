#include "runner/data/bpe/decoder.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "runner/data/bpe/byte_letters.h"
#include "runner/data/bpe/pipeline.h"
#include "schema/document/source.h"

namespace knead::data {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kUnknownCharacter = "\xEF\xBF\xBD";  // U+FFFD

/// Replaces each `from` in a text.
std::string with(const std::string& text, const std::string& from, const std::string& to) {
  if (from.empty()) return text;
  std::string out;
  std::size_t at = 0;
  for (std::size_t found = text.find(from); found != text.npos; found = text.find(from, at)) {
    out.append(text, at, found - at).append(to);
    at = found + from.size();
  }
  return out.append(text, at, text.npos);
}

Words joined(const Words& words, const std::string& between = "") {
  std::string text;
  for (const std::string& word : words) text += (&word == &words.front() ? "" : between) + word;
  return {text};
}

/// Returns the byte that a word <0xC3> stands for; std::nullopt for any other word.
std::optional<char> byte_of(const std::string& word) {
  if (word.size() != 6 || !word.starts_with("<0x") || word.back() != '>') return std::nullopt;
  unsigned value = 0;
  const auto end = std::from_chars(word.data() + 3, word.data() + 5, value, 16).ptr;
  if (end != word.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

bool is_utf8(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const bool is_plain = static_cast<unsigned char>(bytes[at]) < 0x80;
    const std::size_t length = is_plain ? 1 : schema::sequence_length(bytes, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

/// Appends the text of bytes that stood side by side, and forgets them.
void flush(std::string& bytes, Words& out) {
  if (bytes.empty()) return;
  if (is_utf8(bytes)) {
    out.push_back(bytes);
  } else {
    out.insert(out.end(), bytes.size(), kUnknownCharacter);
  }
  bytes.clear();
}

Words words_after(const JoinBytes&, Words words) {
  for (std::string& word : words) word = bytes_of_letters(word).value_or(word);
  return joined(words);
}

Words words_after(const JoinByteTokens&, const Words& words) {
  Words out;
  std::string bytes;
  for (const std::string& word : words) {
    if (const auto byte = byte_of(word)) {
      bytes += *byte;
      continue;
    }
    flush(bytes, out);
    out.push_back(word);
  }
  flush(bytes, out);
  return out;
}

Words words_after(const JoinWords& step, const Words& words) { return joined(words, step.between); }

Words words_after(const ReplaceInWords& step, Words words) {
  for (std::string& word : words) word = with(word, step.from, step.to);
  return words;
}

Words words_after(const StripWords& step, Words words) {
  for (std::string& word : words) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < step.from_begin; ++i)
      if (word.compare(begin, step.character.size(), step.character) == 0)
        begin += step.character.size();
    word.erase(0, begin);
    for (std::size_t i = 0; i < step.from_end && word.ends_with(step.character); ++i)
      word.erase(word.size() - step.character.size());
  }
  return words;
}

Words words_after(const SpaceWords& step, Words words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = with(words[i], step.character, i == 0 && step.was_put_first ? "" : " ");
  return words;
}

Words words_after(const SpaceSuffixes& step, Words words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = with(words[i], step.suffix, i + 1 == words.size() ? "" : " ");
  return words;
}

ReplaceInWords read_replace(const JsonPart& step) {
  const JsonPart pattern = step.at("pattern");
  if (!pattern.has("String")) refuse_unknown(pattern, "a decoder that replaces by a pattern");
  return {read_short_text(pattern, "String"), read_short_text(step, "content")};
}

std::size_t count_in(const JsonPart& step, const char* key) {
  const nlohmann::json& value = step.at(key).value();
  if (!value.is_number_unsigned()) step.at(key).refuse(fmt::format("{} is no count", key), "");
  return value.get<std::size_t>();
}

DecoderStep read_step(const JsonPart& step) {
  const std::string type = step.at("type").text();
  if (type == "ByteLevel") return JoinBytes{};
  if (type == "ByteFallback") return JoinByteTokens{};
  if (type == "Fuse") return JoinWords{};
  if (type == "Replace") return read_replace(step);
  if (type == "Strip")
    return StripWords{read_short_text(step, "content"), count_in(step, "start"),
                      count_in(step, "stop")};
  if (type == "Metaspace") {
    const bool is_put =
        step.text("prepend_scheme", "always") != "never" && step.flag("add_prefix_space", true);
    return SpaceWords{step.text("replacement", "\u2581"), is_put};
  }
  if (type == "BPEDecoder") return SpaceSuffixes{step.text("suffix", "</w>")};
  refuse_unknown(step.at("type"), fmt::format("the decoder '{}'", type));
}

void add_steps(const JsonPart& decoder, int depth, std::vector<DecoderStep>& steps) {
  if (decoder.at("type").text() != "Sequence") return steps.push_back(read_step(decoder));
  if (depth == kDeepestSequence) refuse_unknown(decoder, "a Sequence so deep in others");
  const JsonPart list = decoder.at("decoders");
  for (std::size_t i = 0; i < list.size(); ++i) {
    add_steps(list.at(i), depth + 1, steps);
    expect_few_steps(decoder, steps.size());
  }
}

}  // namespace

std::vector<DecoderStep> read_decoder(const JsonPart& decoder) {
  std::vector<DecoderStep> steps;
  add_steps(decoder, 0, steps);
  return steps;
}

std::string decoded(const std::vector<DecoderStep>& steps, Words words) {
  for (const DecoderStep& step : steps)
    words = std::visit([&](const auto& kind) { return words_after(kind, std::move(words)); }, step);
  return joined(words).front();
}

}  // namespace knead::data
