#pragma once

#include <filesystem>
#include <memory>

#include "runner/data/bpe/tokenizer.h"

namespace knead::data {

/// Opens a tokenizer from its description, the file vocabulary.json of a run, and the file beside
/// it that the description names: the training text is not needed any more. Throws knead::Error if
/// a file is missing or is not what a run writes.
std::shared_ptr<const Tokenizer> open_kept_tokenizer(const std::filesystem::path& description);

/// Opens a tokenizer.json of Hugging Face's tokenizers. Throws knead::Error as
/// read_tokenizer_json().
std::shared_ptr<const Tokenizer> open_tokenizer_json(const std::filesystem::path& path);

}  // namespace knead::data
