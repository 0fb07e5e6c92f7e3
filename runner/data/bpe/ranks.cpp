#include <array>
#include <charconv>

#include <fmt/format.h>

#include "runner/data/bpe/bpe.h"
#include "runner/data/bpe/byte_letters.h"
#include "runner/data/bpe/pattern.h"
#include "runner/files/base64.h"
#include "runner/files/read.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

std::optional<std::uint32_t> number_of(std::string_view text) {
  // A damaged number must not ask for a vocabulary that no model has.
  constexpr std::uint32_t kMost = 1 << 24;
  std::uint32_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || number >= kMost)
    return std::nullopt;
  return number;
}

// The patterns are those of tiktoken (tiktoken_ext/openai_public.py), with \z in place of $, which
// also ends a line in the syntax that translated() reads.
const char* pattern_of(recipe::BpeTokenizer::Split split) {
  using Split = recipe::BpeTokenizer::Split;
  switch (split) {
    case Split::gpt2:
      return R"('(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++\z|\s+(?!\S)|\s)";
    case Split::cl100k:
      return R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++\z|\s*[\r\n]|\s+(?!\S)|\s)";
    case Split::o200k:
      return R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
             R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
             R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  }
  return "";
}

bool is_json(const std::filesystem::path& path) {
  const std::string text = files::read_text(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{';
}

}  // namespace

BpeModel read_ranks(const std::filesystem::path& path, const std::string& split) {
  const std::string text = files::read_text(path);
  const std::string file = path.string();
  BpeModel model;
  std::size_t line_number = 0;
  for (std::size_t at = 0; at < text.size();) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t space = std::min(line.find(' '), line.size());
    auto bytes = files::from_base64(line.substr(0, space));
    const auto number = number_of(line.substr(std::min(space + 1, line.size())));
    if (!bytes || !number)
      throw Error(fmt::format("{}:{}: no token in base64 and its number", file, line_number),
                  "name a tokenizer.json, or a file of ranks as tiktoken reads it");
    if (!model.merges.add(letters_of_bytes(*bytes), *number))
      throw Error(fmt::format("{}:{}: the token has two numbers", file, line_number));
  }
  if (model.merges.size() == 0) throw Error(fmt::format("{}: no tokens", file));
  model.merges.join_by_number();
  model.merges.keep_whole();
  model.vocabulary = model.merges.size();
  model.kept_as = "tokenizer.ranks";
  model.spells_bytes = true;
  model.split = split;
  model.decoder.emplace_back(JoinBytes{});
  model.pre_tokenizer.emplace_back(
      Splitter(translated(split), Splitter::Matches::removed, /*is_inverted=*/true, file));
  return model;
}

std::shared_ptr<const Tokenizer> open_bpe(const recipe::BpeTokenizer& options) {
  const std::filesystem::path& path = options.file.value();
  const std::string file = path.string();
  if (is_json(path)) {
    if (options.split)
      throw Error(
          fmt::format("tokenizer.split is written, and {} says itself how text is split", file),
          "leave out split");
    return std::make_shared<const Bpe>(read_tokenizer_json(path), path);
  }
  if (!options.split)
    throw Error(fmt::format("{} does not say how text is split before it is encoded", file),
                "write tokenizer.split: gpt2, cl100k (Llama 3's too) or o200k");
  return std::make_shared<const Bpe>(read_ranks(path, pattern_of(*options.split)), path);
}

}  // namespace knead::data
