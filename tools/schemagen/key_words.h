#pragma once

#include <string>

#include "tools/schemagen/model.h"

namespace knead::schemagen {

/// Takes over what a node says of a key: its words, default, example and marks.
void read_key_words(const schema::Node& node, KeyModel& out);

/// The text of a word, or its value as YAML; empty where the word is not there.
std::string text_of(const schema::Node& node, std::string_view word);

bool is_true(const schema::Node& node, std::string_view word);

}  // namespace knead::schemagen
