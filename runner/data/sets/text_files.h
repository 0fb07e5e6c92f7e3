#pragma once

#include <memory>

#include "recipe/text.h"
#include "runner/data/sets/open.h"
#include "runner/data/text/token_stream.h"

namespace knead::data {

/// Opens the text of a set as one stream of tokens, file after file. The first set of a recipe
/// makes the tokenizer that all its sets share; a vocabulary of characters comes from the training
/// text. Throws knead::Error if a file cannot be read or encoded, or if a set asks for another
/// tokenizer.
std::shared_ptr<const TokenStream> open_text(const recipe::Text& text, Opening& opening);

}  // namespace knead::data
