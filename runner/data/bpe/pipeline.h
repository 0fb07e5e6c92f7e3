#pragma once

#include <vector>

#include "runner/data/bpe/json_part.h"
#include "runner/data/bpe/normalizer.h"
#include "runner/data/bpe/pre_tokenizer.h"

namespace knead::data {

/// Reads the normalizer of a tokenizer.json as a list of steps; a Sequence becomes its steps,
/// BertNormalizer several. Throws knead::Error with the place in the file if knead does not support
/// a step.
std::vector<NormalizerStep> read_normalizer(const JsonPart& normalizer);

/// Reads the pre_tokenizer of a tokenizer.json as a list of steps; a Sequence becomes its steps.
/// Throws knead::Error with the place in the file if knead does not support a step.
std::vector<PreTokenizerStep> read_pre_tokenizer(const JsonPart& pre_tokenizer);

/// Throws knead::Error: the file asks for `what`, which stands at `part`, and knead does not
/// support it. The remedy is to encode the text with the library itself.
[[noreturn]] void refuse_unknown(const JsonPart& part, const std::string& what);

/// Limits how deep a Sequence may nest in a Sequence, since they are read by recursion.
constexpr int kDeepestSequence = 16;
/// Limits the steps of a normalizer, a pre_tokenizer and a decoder; each goes through all text.
constexpr std::size_t kMostSequenceSteps = 256;
/// Throws knead::Error if a sequence has more steps than that so far.
void expect_few_steps(const JsonPart& sequence, std::size_t steps);

/// Limits the bytes of a text in a step, which may write it once for each character of a text.
constexpr std::size_t kLongestText = 4096;

/// Reads the pattern of a step, {"Regex": …} or {"String": …}, as a splitter. `matches` and
/// `is_inverted`: as for Splitter. Throws knead::Error with the place in the file if the pattern is
/// not supported.
Splitter read_pattern(const JsonPart& step, Splitter::Matches matches, bool is_inverted);

/// Reads a text of a step. Throws knead::Error if it has more than kLongestText bytes, because a
/// step may write it many times.
std::string read_short_text(const JsonPart& step, const char* key);

}  // namespace knead::data
