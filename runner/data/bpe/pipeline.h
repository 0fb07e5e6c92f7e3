#pragma once

#include <vector>

#include "runner/data/bpe/json_part.h"
#include "runner/data/bpe/normalizer.h"
#include "runner/data/bpe/pre_tokenizer.h"

namespace knead::data {

/// The steps of the normalizer of a tokenizer.json. Throws knead::Error, with the place in the
/// file, that names what knead does not know.
std::vector<NormalizerStep> read_normalizer(const JsonPart& normalizer);

/// The same of its pre_tokenizer.
std::vector<PreTokenizerStep> read_pre_tokenizer(const JsonPart& pre_tokenizer);

/// Throws knead::Error: the file asks for `what`, which stands at `part`.
[[noreturn]] void refuse_unknown(const JsonPart& part, const std::string& what);

/// How many parts a Sequence may have in a Sequence, and how long a text in a step may be.
constexpr int kDeepestSequence = 16;
constexpr std::size_t kLongestText = 4096;

/// A pattern in a step, {"Regex": …} or {"String": …}, as a splitter.
Splitter read_pattern(const JsonPart& step, Splitter::Matches matches, bool is_inverted);

/// A text in a step that is not too long to be written again and again.
std::string read_short_text(const JsonPart& step, const char* key);

}  // namespace knead::data
