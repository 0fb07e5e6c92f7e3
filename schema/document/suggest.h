#pragma once

#include <span>
#include <string>
#include <string_view>

namespace knead::schema {

/// Edits (insert, delete, replace, swap neighbours) between two words.
int edit_distance(std::string_view a, std::string_view b);

/// Lower case without separators: LearningRate, learning-rate and learning_rate are the same word.
std::string folded(std::string_view word);

/// The candidate a person most likely meant by `word`: few edits for its length, or the same word
/// in another case or with other separators. Empty if nothing is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace knead::schema
