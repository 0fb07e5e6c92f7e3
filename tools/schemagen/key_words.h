#pragma once

#include <string>

#include "tools/schemagen/model.h"

namespace knead::schemagen {

/// Reads the keywords that describe a key (description, default, example, x-…) into `out`. Fields
/// without a keyword stay unchanged.
void read_key_words(const schema::Node& node, KeyModel& out);

/// Returns a keyword's text, or its value as YAML. The result is empty if the keyword is absent.
std::string text_of(const schema::Node& node, std::string_view word);

/// Returns whether a keyword is present and true.
bool is_true(const schema::Node& node, std::string_view word);

}  // namespace knead::schemagen
