#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "runner/data/bpe/bpe.h"
#include "runner/data/bpe/json_part.h"
#include "runner/data/bpe/pipeline.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"

namespace knead::data {
namespace {

constexpr std::int64_t kMostTokens = 1 << 24;

/// Reads the parts of a tokenizer.json and refuses unknown ones by name.
class TokenizerReader {
 public:
  TokenizerReader(const JsonPart& document, files::Budget& budget)
      : document_(document), budget_(budget) {}

  BpeModel read() {
    const JsonPart model = document_.at("model");
    if (const std::string type = model.text("type", "BPE"); type != "BPE")
      refuse_unknown(model.at("type"), fmt::format("a model of type '{}'", type));
    read_options(model);
    read_vocabulary(model.at("vocab"));
    read_merges(model.at("merges"));
    if (document_.has("normalizer"))
      model_.normalizer = read_normalizer(document_.at("normalizer"));
    if (document_.has("pre_tokenizer")) read_stages(document_.at("pre_tokenizer"));
    if (document_.has("added_tokens")) read_added(document_.at("added_tokens"));
    read_decoder_steps();
    model_.kept_as = "tokenizer.json";
    return std::move(model_);
  }

 private:
  void read_options(const JsonPart& model) {
    if (model.has("dropout") && model.at("dropout").value() != 0.0)
      refuse_unknown(model.at("dropout"), "model.dropout");
    Spelling spelling;
    spelling.prefix = model.text("continuing_subword_prefix", "");
    spelling.suffix = model.text("end_of_word_suffix", "");
    spelling.has_byte_tokens = model.flag("byte_fallback", false);
    spelling.joins_unknown = model.flag("fuse_unk", false);
    if (model.has("unk_token")) spelling.unknown = model.at("unk_token").text();
    model_.merges.spell(std::move(spelling));
    if (model.flag("ignore_merges", false)) model_.merges.keep_whole();
  }

  void read_vocabulary(const JsonPart& vocabulary) {
    if (!vocabulary.value().is_object())
      vocabulary.refuse("model.vocab is not a block of words with their numbers", kRemedy);
    for (const auto& [word, number] : vocabulary.value().items()) {
      const bool is_number = number.is_number_integer();
      const std::int64_t token = is_number ? number.get<std::int64_t>() : -1;
      if (token < 0 || token >= kMostTokens)
        vocabulary.refuse(fmt::format("'{}' has the token {}", word, schema::json_text(number)),
                          "tokens are 0 to 16,777,215");
      model_.merges.add(word, static_cast<std::uint32_t>(token));
    }
    model_.vocabulary = model_.merges.size();
  }

  void read_merges(const JsonPart& merges) {
    for (std::size_t place = 0; place < merges.size(); ++place) {
      const auto [left, right] = words_of(merges, place);
      if (left.empty() || model_.merges.join(left, right)) continue;
      merges.at(place).refuse(
          fmt::format("merge {} joins '{}' and '{}': they, or what they make, are no tokens", place,
                      left, right),
          "the file is damaged, or was put together from two");
    }
  }

  /// Returns the two words of a merge, "a b" or ["a", "b"]; empty words for a "#version" line.
  static std::pair<std::string, std::string> words_of(const JsonPart& merges, std::size_t place) {
    const nlohmann::json& merge = merges.value()[place];
    if (merge.is_array() && merge.size() == 2) {
      const JsonPart pair = merges.at(place);
      return {pair.at(std::size_t{0}).text(), pair.at(1).text()};
    }
    const std::string both =
        merge.is_string() ? merge.get<std::string>() : schema::json_text(merge);
    if (both.starts_with("#version")) return {};
    const std::size_t space = both.find(' ');
    if (!merge.is_string() || space == both.npos || both.find(' ', space + 1) != both.npos)
      merges.at(place).refuse(fmt::format("merge {} is not two words: '{}'", place, both), kRemedy);
    return {both.substr(0, space), both.substr(space + 1)};
  }

  /// Reads the pre_tokenizer. A final step that spells bytes is done while pieces are encoded.
  void read_stages(const JsonPart& pre_tokenizer) {
    model_.pre_tokenizer = read_pre_tokenizer(pre_tokenizer);
    auto& steps = model_.pre_tokenizer;
    if (steps.empty() || !std::holds_alternative<SpellBytes>(steps.back())) return;
    steps.pop_back();
    model_.spells_bytes = true;
  }

  /// Reads how tokens become text. A step that knead does not support is told when text is asked
  /// for: training needs none.
  void read_decoder_steps() {
    if (!document_.has("decoder")) {
      if (model_.spells_bytes)
        model_.decoder.emplace_back(JoinBytes{});
      else
        model_.decoder.emplace_back(JoinWords{" "});
      return;
    }
    try {
      model_.decoder = read_decoder(document_.at("decoder"));
    } catch (const Error& error) {
      model_.undecodable = error.what();
    }
  }

  /// Reads the added tokens. As in the library, a word outside of the vocabulary gets the next free
  /// number, whatever number the file states, and the last of several equal words counts.
  void read_added(const JsonPart& tokens) {
    auto next = static_cast<std::uint32_t>(model_.merges.words());
    std::unordered_map<std::string, std::uint32_t> numbers;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string word = tokens.at(i).at("content").text();
      if (const auto known = model_.merges.find(word)) {
        numbers[word] = *known;
      } else if (numbers.emplace(word, next).second && !word.empty()) {
        ++next;
      }
      model_.vocabulary = std::max<std::uint64_t>(model_.vocabulary, numbers[word] + 1ULL);
      places[word] = i;
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const JsonPart part = tokens.at(i);
      const std::string word = part.at("content").text();
      if (places[word] == i) add(part, word, numbers[word]);
    }
  }

  void add(const JsonPart& part, const std::string& word, std::uint32_t number) {
    const bool is_normalized = part.flag("normalized", !part.flag("special", false));
    model_.added_words[number] = word;
    AddedToken token{word, number, part.flag("single_word", false), part.flag("lstrip", false),
                     part.flag("rstrip", false)};
    if (is_normalized) token.word = normalized(model_.normalizer, {word, 0}, budget_).text;
    (is_normalized ? model_.normalized : model_.raw).add(std::move(token));
  }

  static constexpr const char* kRemedy = "name a tokenizer.json of Hugging Face's tokenizers";

  const JsonPart& document_;
  files::Budget& budget_;
  BpeModel model_;
};

}  // namespace

BpeModel read_tokenizer_json(const std::filesystem::path& path) {
  files::Budget budget(path.string());
  const JsonFile file(path, budget);
  return TokenizerReader(JsonPart(file), budget).read();
}

}  // namespace knead::data
