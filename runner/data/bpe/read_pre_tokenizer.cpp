#include <fmt/format.h>

#include "runner/data/bpe/character_class.h"
#include "runner/data/bpe/pattern.h"
#include "runner/data/bpe/pipeline.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

using Matches = Splitter::Matches;

/// The pattern of GPT-2, by which ByteLevel splits unless use_regex is false.
constexpr const char* kByteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

constexpr const char* kAsciiPunctuation = "!-\\/:-@\\[-`{-~";

/// Reads the steps of a pre_tokenizer, including nested sequences.
class PreTokenizerReader {
 public:
  std::vector<PreTokenizerStep> read(const JsonPart& step, int depth) {
    const std::string type = step.at("type").text();
    if (type == "Sequence") {
      read_sequence(step, depth);
    } else if (type == "ByteLevel") {
      read_byte_level(step);
    } else if (type == "Metaspace") {
      read_metaspace(step);
    } else if (type == "Split") {
      const Matches matches = matches_of(step.at("behavior"));
      steps_.emplace_back(read_pattern(step, matches, step.flag("invert", false)));
    } else if (!read_plain(step, type)) {
      refuse_unknown(step.at("type"), fmt::format("the pre_tokenizer '{}'", type));
    }
    return std::move(steps_);
  }

 private:
  void read_sequence(const JsonPart& sequence, int depth) {
    if (depth == kDeepestSequence)
      sequence.refuse(fmt::format("is a Sequence {} deep", depth), "write one Sequence");
    const JsonPart parts = sequence.at("pretokenizers");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (PreTokenizerStep& step : PreTokenizerReader().read(parts.at(i), depth + 1))
        steps_.push_back(std::move(step));
      expect_few_steps(sequence, steps_.size());
    }
  }

  void read_byte_level(const JsonPart& step) {
    if (step.flag("add_prefix_space", true)) steps_.emplace_back(Prefix{" ", false});
    if (step.flag("use_regex", true)) split(translated(kByteLevelPattern), Matches::isolated);
    steps_.emplace_back(SpellBytes{});
  }

  void read_metaspace(const JsonPart& step) {
    const std::string mark = one_character(step, "replacement");
    const std::string scheme = step.text("prepend_scheme", "always");
    if (!step.flag("add_prefix_space", true) && scheme != "never")
      step.refuse(fmt::format("has add_prefix_space: false with prepend_scheme: {}", scheme),
                  "write prepend_scheme: never");
    steps_.emplace_back(ReplaceSpaces{mark});
    if (scheme == "always" || scheme == "first") {
      steps_.emplace_back(Prefix{mark, scheme == "first"});
    } else if (scheme != "never") {
      refuse_unknown(step.at("prepend_scheme"), fmt::format("the prepend_scheme '{}'", scheme));
    }
    if (step.flag("split", true)) split(escaped(mark), Matches::merged_with_next);
  }

  bool read_plain(const JsonPart& step, const std::string& type) {
    if (type == "Digits") {
      const bool is_alone = step.flag("individual_digits", false);
      split(character_class("rust digit"), is_alone ? Matches::isolated : Matches::contiguous);
    } else if (type == "Punctuation") {
      split(punctuation(),
            step.has("behavior") ? matches_of(step.at("behavior")) : Matches::isolated);
    } else if (type == "WhitespaceSplit") {
      split(character_class("white space"), Matches::removed);
    } else if (type == "BertPreTokenizer") {
      split(character_class("white space"), Matches::removed);
      split(punctuation(), Matches::isolated);
    } else if (type == "CharDelimiterSplit" || type == "Delimiter") {
      split(escaped(one_character(step, "delimiter")), Matches::removed);
    } else if (type == "Whitespace") {
      const std::string word = class_items("rust word");
      split(fmt::format("[{0}]+|[^{0}{1}]+", word, class_items("white space")), Matches::removed,
            /*is_inverted=*/true);
    } else {
      return false;
    }
    return true;
  }

  static std::string punctuation() {
    return fmt::format("(?:[{}]|{})", kAsciiPunctuation, character_class("rust punctuation"));
  }

  static std::string one_character(const JsonPart& step, const char* key) {
    const std::string text = step.at(key).text();
    std::size_t end = 0;
    if (!text.empty()) next_character(text, end);
    if (text.empty() || end != text.size())
      step.at(key).refuse(fmt::format("{} is not one character", key), "write one character");
    return text;
  }

  static Matches matches_of(const JsonPart& behavior) {
    const std::string name = behavior.text();
    if (name == "Isolated") return Matches::isolated;
    if (name == "Removed") return Matches::removed;
    if (name == "MergedWithPrevious") return Matches::merged_with_previous;
    if (name == "MergedWithNext") return Matches::merged_with_next;
    if (name == "Contiguous") return Matches::contiguous;
    refuse_unknown(behavior, fmt::format("the behavior '{}'", name));
  }

  /// Adds a split by a pattern of this program, not of the file.
  void split(const std::string& pattern, Matches matches, bool is_inverted = false) {
    steps_.emplace_back(Splitter(pattern, matches, is_inverted, "the pre_tokenizer"));
  }

  std::vector<PreTokenizerStep> steps_;
};

}  // namespace

std::vector<PreTokenizerStep> read_pre_tokenizer(const JsonPart& pre_tokenizer) {
  return PreTokenizerReader().read(pre_tokenizer, 0);
}

void expect_few_steps(const JsonPart& sequence, std::size_t steps) {
  if (steps <= kMostSequenceSteps) return;
  sequence.refuse(fmt::format("has more than {} steps", kMostSequenceSteps),
                  "encode the text with the library itself, and train on data of type tokens");
}

void refuse_unknown(const JsonPart& part, const std::string& what) {
  part.refuse(fmt::format("asks for {}, which knead does not know", what),
              "encode the text with the library itself, and train on data of type tokens");
}

Splitter read_pattern(const JsonPart& step, Matches matches, bool is_inverted) {
  const JsonPart pattern = step.at("pattern");
  const bool is_regular = pattern.has("Regex");
  const JsonPart text = pattern.at(is_regular ? "Regex" : "String");
  const std::string written = is_regular ? text.text() : read_short_text(pattern, "String");
  try {
    return {is_regular ? translated(written) : escaped(written), matches, is_inverted, step.file()};
  } catch (const Error& error) {
    text.refuse(error.what(),
                "encode the text with the library itself, and train on data of type tokens");
  }
}

std::string read_short_text(const JsonPart& step, const char* key) {
  const JsonPart part = step.at(key);
  const std::string text = part.text();
  if (text.size() > kLongestText)
    part.refuse(fmt::format("{} has {} bytes", key, text.size()),
                fmt::format("knead reads {} in a step of a tokenizer", kLongestText));
  return text;
}

}  // namespace knead::data
