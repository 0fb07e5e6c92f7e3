#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/data/bpe/bpe.h"
#include "runner/data/bpe/byte_letters.h"
#include "runner/files/read.h"
#include "schema/error.h"

namespace knead::data {
namespace {

using Json = nlohmann::json;

/// The pattern of GPT-2, which ByteLevel splits by unless it is told not to.
constexpr const char* kByteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

constexpr std::int64_t kMostTokens = 1 << 24;

/// Reads the parts of a tokenizer.json; refuses by name what it does not know.
class Reader {
 public:
  Reader(const Json& document, std::string file) : document_(document), file_(std::move(file)) {}

  BpeModel read() {
    if (!document_.is_object() || !document_.contains("model"))
      refuse("has no 'model'", "name a tokenizer.json of Hugging Face's tokenizers");
    read_model(document_.at("model"));
    for (const Json& token : part(document_, "added_tokens")) read_added(token);
    read_normalizer(part(document_, "normalizer"), 0);
    read_pre_tokenizer(part(document_, "pre_tokenizer"), /*is_last=*/true, 0);
    if (!is_byte_level_)
      refuse("has no 'ByteLevel' in its pre_tokenizer", "knead reads byte-level tokenizers");
    model_.kept_as = "tokenizer.json";
    return std::move(model_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    throw Error(fmt::format("{}: {}", file_, what), remedy);
  }

  [[noreturn]] void refuse_unknown(const std::string& what) const {
    refuse(fmt::format("asks for {}, which knead does not know", what),
           "encode the text with the library itself, and train on data of type tokens");
  }

  void expect_shallow(int depth) const {
    constexpr int kMost = 16;
    if (depth >= kMost) refuse(fmt::format("has a 'Sequence' {} deep", kMost), "");
  }

  static const Json& part(const Json& block, const char* key) {
    static const Json kNothing;
    return block.contains(key) ? block.at(key) : kNothing;
  }

  /// Whether a key is there and says anything.
  static bool says(const Json& block, const char* key) {
    const Json& value = part(block, key);
    return !value.is_null() && value != Json(false) && value != Json("") && value != Json(0.0);
  }

  std::uint32_t token_of(const Json& number) {
    const auto token = number.get<std::int64_t>();
    if (token < 0 || token >= kMostTokens)
      refuse(fmt::format("has the token {}", token), "tokens are 0 to 16,777,215");
    model_.vocabulary = std::max(model_.vocabulary, static_cast<std::uint64_t>(token) + 1);
    return static_cast<std::uint32_t>(token);
  }

  void read_model(const Json& model) {
    const std::string type =
        part(model, "type").is_null() ? "BPE" : model.at("type").get<std::string>();
    if (type != "BPE") refuse_unknown(fmt::format("a model of type '{}'", type));
    for (const char* key :
         {"dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"}) {
      if (says(model, key)) refuse_unknown(fmt::format("model.{}", key));
    }
    if (says(model, "ignore_merges")) model_.merges.keep_whole();
    for (const auto& [word, number] : model.at("vocab").items()) {
      const std::uint32_t token = token_of(number);
      if (auto bytes = bytes_of_letters(word)) model_.merges.add(std::move(*bytes), token);
    }
    std::size_t place = 0;
    for (const Json& merge : model.at("merges")) read_merge(merge, place++);
  }

  /// "a b", or ["a", "b"].
  void read_merge(const Json& merge, std::size_t place) {
    std::string left;
    std::string right;
    if (merge.is_array()) {
      left = merge.at(0).get<std::string>();
      right = merge.at(1).get<std::string>();
    } else {
      const auto both = merge.get<std::string>();
      const std::size_t space = both.find(' ');
      if (space == both.npos || both.find(' ', space + 1) != both.npos)
        refuse(fmt::format("merge {} is not two words: '{}'", place, both), "");
      left = both.substr(0, space);
      right = both.substr(space + 1);
    }
    const auto first = bytes_of_letters(left);
    const auto second = bytes_of_letters(right);
    if (!first || !second || !model_.merges.join(*first, *second))
      refuse(fmt::format("merge {} joins '{}' and '{}': they, or what they make, are no tokens",
                         place, left, right),
             "the file is damaged, or was put together from two");
  }

  void read_added(const Json& token) {
    const auto word = token.at("content").get<std::string>();
    for (const char* key : {"single_word", "lstrip", "rstrip"}) {
      if (says(token, key)) refuse_unknown(fmt::format("{} of the added token '{}'", key, word));
    }
    if (word.empty()) return;
    const std::uint32_t number = token_of(token.at("id"));
    (says(token, "normalized") ? model_.normalized : model_.raw).add(word, number);
  }

  void read_normalizer(const Json& normalizer, int depth) {
    if (normalizer.is_null()) return;
    const auto type = normalizer.at("type").get<std::string>();
    if (type == "Sequence") {
      expect_shallow(depth);
      for (const Json& each : normalizer.at("normalizers")) read_normalizer(each, depth + 1);
    } else if (type == "NFC") {
      model_.normal_forms.push_back(NormalForm::nfc);
    } else if (type == "NFD") {
      model_.normal_forms.push_back(NormalForm::nfd);
    } else if (type == "NFKC") {
      model_.normal_forms.push_back(NormalForm::nfkc);
    } else if (type == "NFKD") {
      model_.normal_forms.push_back(NormalForm::nfkd);
    } else {
      refuse_unknown(fmt::format("the normalizer '{}'", type));
    }
  }

  void read_pre_tokenizer(const Json& step, bool is_last, int depth) {
    if (step.is_null()) return;
    const auto type = step.at("type").get<std::string>();
    if (type == "Sequence") {
      expect_shallow(depth);
      const Json& steps = step.at("pretokenizers");
      for (std::size_t i = 0; i < steps.size(); ++i)
        read_pre_tokenizer(steps[i], is_last && i + 1 == steps.size(), depth + 1);
    } else if (type == "ByteLevel") {
      if (!is_last) refuse_unknown("a pre_tokenizer behind 'ByteLevel'");
      read_byte_level(step);
    } else if (type == "Split") {
      model_.stages.push_back({false, splitter_of(step)});
    } else if (type == "Digits") {
      model_.stages.push_back(
          {false, Splitter(says(step, "individual_digits") ? R"(\p{N})" : R"(\p{N}+)",
                           Splitter::Keep::all, file_)});
    } else {
      refuse_unknown(fmt::format("the pre_tokenizer '{}'", type));
    }
  }

  void read_byte_level(const Json& step) {
    is_byte_level_ = true;
    Stage stage{says(step, "add_prefix_space"), std::nullopt};
    const bool splits = part(step, "use_regex").is_null() || says(step, "use_regex");
    if (splits) stage.splitter.emplace(kByteLevelPattern, Splitter::Keep::all, file_);
    model_.stages.push_back(std::move(stage));
  }

  Splitter splitter_of(const Json& step) {
    const Json& pattern = step.at("pattern");
    const std::string text = pattern.contains("Regex")
                                 ? pattern.at("Regex").get<std::string>()
                                 : escaped(pattern.at("String").get<std::string>());
    const auto behavior = step.at("behavior").get<std::string>();
    const bool is_inverted = says(step, "invert");
    if (behavior == "Isolated") return {text, Splitter::Keep::all, file_};
    if (behavior == "Removed")
      return {text, is_inverted ? Splitter::Keep::matches : Splitter::Keep::gaps, file_};
    refuse_unknown(fmt::format("the pre_tokenizer 'Split' with behavior '{}'", behavior));
  }

  const Json& document_;
  std::string file_;
  BpeModel model_;
  bool is_byte_level_ = false;
};

}  // namespace

BpeModel read_tokenizer_json(const std::filesystem::path& path) {
  const std::string text = files::read_text(path);
  try {
    const Json document = Json::parse(text);
    return Reader(document, path.string()).read();
  } catch (const Json::exception& error) {
    throw Error(fmt::format("{}: is no tokenizer.json: {}", path.string(), error.what()),
                "name a tokenizer.json of Hugging Face's tokenizers");
  }
}

}  // namespace knead::data
