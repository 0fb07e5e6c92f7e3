#pragma once

#include <memory>

#include "recipe.h"
#include "runner/data/sets/open.h"
#include "runner/data/text/token_stream.h"

namespace knead::data {

/// The text of a set as tokens, its files one behind the other. The first set that is opened makes
/// the tokenizer, and the characters of a vocabulary are those of its files: all sets of a recipe
/// share it. Throws knead::Error where files cannot be read or encoded, or a set would need another
/// tokenizer.
std::shared_ptr<const TokenStream> open_text(const recipe::Text& text, Opening& opening);

}  // namespace knead::data
