#pragma once

#include <span>
#include <string>
#include <string_view>

namespace knead::schema {

/// Counts the edits (insert, delete, replace, swap of neighbours) between two words: the restricted
/// Damerau-Levenshtein distance, in bytes. Takes time proportional to the product of the lengths.
int edit_distance(std::string_view a, std::string_view b);

/// Returns whether edit_distance() of two words is 0 or 1, in linear time.
bool one_edit_apart(std::string_view a, std::string_view b);

/// Returns a word in lower case without '_', '-' and ' ': LearningRate, learning-rate and
/// learning_rate all become "learningrate". Only ASCII letters change case.
std::string folded(std::string_view word);

/// Returns whether two words are the same but for case and separators: folded() of both is equal.
bool same_but_style(std::string_view a, std::string_view b);

/// Returns the candidate that is most similar to `word`: few edits for its length, the same word in
/// another case or with other separators, or a common beginning. Returns an empty text if none is.
/// At most a third of the longer word may differ, but always one letter. Of candidates that are
/// equally near, also in case and separators, the first one is returned. A word of more than 64
/// bytes gets no suggestion. The result is one of `candidates`, and refers to the text that the
/// candidate refers to.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// Returns the hint "did you mean 'weight_decay'?" with the candidate that is most similar to
/// `word`, or `otherwise` if none is similar.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates,
                         std::string otherwise = "");
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         std::string otherwise = "");

}  // namespace knead::schema
