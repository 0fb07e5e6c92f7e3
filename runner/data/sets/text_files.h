#pragma once

#include <memory>

#include "recipe/text.h"
#include "runner/data/sets/open.h"
#include "runner/data/text/token_stream.h"

namespace knead::data {

/// Opens the text of a set as one stream of tokens, file after file, without a token between two
/// files. The first set of a recipe makes the tokenizer that all its sets share; a vocabulary of
/// characters comes from the training text (opening.alphabet). Bytes stay on the disk; other tokens
/// are kept in memory, and shared with all sets of the same files. Throws knead::Error if a file
/// cannot be read or encoded, if a set asks for another tokenizer, or if there is no training text
/// for a vocabulary of characters.
std::shared_ptr<const TokenStream> open_text(const recipe::Text& text, Opening& opening);

}  // namespace knead::data
