#include <fmt/format.h>

#include "runner/data/bpe/character_class.h"
#include "runner/data/bpe/pipeline.h"

namespace knead::data {
namespace {

/// Makes a splitter of a pattern of this program, not of the file.
Splitter known_pattern(const std::string& pattern) {
  return {pattern, Splitter::Matches::removed, false, "the normalizer"};
}

/// Reads the steps of a normalizer, including nested sequences.
class NormalizerReader {
 public:
  std::vector<NormalizerStep> read(const JsonPart& normalizer, int depth) {
    const std::string type = normalizer.at("type").text();
    if (type == "Sequence") {
      read_sequence(normalizer, depth);
    } else if (type == "BertNormalizer" || type == "Bert") {
      read_bert(normalizer);
    } else if (!read_plain(type) && !read_with_options(normalizer, type)) {
      refuse_unknown(normalizer.at("type"), fmt::format("the normalizer '{}'", type));
    }
    return std::move(steps_);
  }

 private:
  void read_sequence(const JsonPart& sequence, int depth) {
    if (depth == kDeepestSequence)
      sequence.refuse(fmt::format("is a Sequence {} deep", depth), "write one Sequence");
    const JsonPart parts = sequence.at("normalizers");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (NormalizerStep& step : NormalizerReader().read(parts.at(i), depth + 1))
        steps_.push_back(std::move(step));
      expect_few_steps(sequence, steps_.size());
    }
  }

  bool read_plain(const std::string& type) {
    if (type == "NFC") return add(NormalForm::nfc);
    if (type == "NFD") return add(NormalForm::nfd);
    if (type == "NFKC") return add(NormalForm::nfkc);
    if (type == "NFKD") return add(NormalForm::nfkd);
    if (type == "Lowercase") return add(LowerCased{});
    if (type == "StripAccents") return remove(character_class("rust mark"));
    if (type == "ByteLevel") return add(SpellBytes{});
    if (type != "Nmt") return false;
    remove("[\\x{1}-\\x{8}\\x{B}\\x{E}-\\x{1F}\\x{7F}\\x{8F}\\x{9F}]");
    return replace(
        "[\\x{9}\\x{A}\\x{C}\\x{D}\\x{1680}\\x{200B}-\\x{200F}\\x{2028}\\x{2029}\\x{2581}"
        "\\x{FEFF}\\x{FFFD}]",
        " ");
  }

  bool read_with_options(const JsonPart& step, const std::string& type) {
    if (type == "Strip")
      return add(Strip{step.flag("strip_left", true), step.flag("strip_right", true)});
    if (type == "Prepend") return add(Prepend{read_short_text(step, "prepend")});
    if (type != "Replace") return false;
    return add(Replace{read_pattern(step, Splitter::Matches::removed, false),
                       read_short_text(step, "content")});
  }

  /// Adds the steps of BERT's own code that the options ask for.
  void read_bert(const JsonPart& step) {
    if (step.flag("clean_text", true)) {
      remove(character_class("bert control"));
      replace(character_class("white space"), " ");
    }
    if (step.flag("handle_chinese_chars", true)) add(SpaceIdeographs{});
    const bool is_lower = step.flag("lowercase", true);
    if (step.flag("strip_accents", is_lower)) {
      add(NormalForm::nfd);
      remove(character_class("bert mark"));
    }
    if (is_lower) add(LowerCased{});
  }

  bool remove(const std::string& pattern) { return replace(pattern, ""); }

  bool replace(const std::string& pattern, const std::string& content) {
    return add(Replace{known_pattern(pattern), content});
  }

  bool add(NormalizerStep step) {
    steps_.push_back(std::move(step));
    return true;
  }

  std::vector<NormalizerStep> steps_;
};

}  // namespace

std::vector<NormalizerStep> read_normalizer(const JsonPart& normalizer) {
  return NormalizerReader().read(normalizer, 0);
}

}  // namespace knead::data
