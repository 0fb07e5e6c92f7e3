#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recipe/data.h"
#include "recipe/text.h"
#include "runner/data/source/source.h"

namespace knead::data {

class Tokenizer;
class TokenStream;

/// Holds what the sets of a recipe share while they are opened.
struct Opening {
  std::uint64_t seed = 0;  // of all random numbers drawn while reading
  std::string set;         // set being opened, for messages: "data.train", "data.train.of.0"

  std::shared_ptr<const Tokenizer> tokenizer;  // of all sets of text; null before the first
  recipe::Tokenizer tokenizer_options;
  std::vector<std::filesystem::path> alphabet;  // files of the training text
  std::map<std::vector<std::filesystem::path>, std::shared_ptr<const TokenStream>> texts;
};

/// Opens the files of a set of any kind except a mix, and checks them. Ignores the selection of
/// rows, except for kinds that cut their samples out of a stream. Throws knead::Error if the files
/// cannot be used, and std::logic_error for a mix.
std::shared_ptr<const Source> open(const recipe::DataSet& set, Opening& opening);

/// Holds for kinds of sets whose samples are cut out of a longer stream. Their key `rows` selects a
/// part of the stream, and their source has only that part.
template <class Kind>
concept CutsSamples = requires(const Kind& kind) {
  kind.context;
};

/// Returns the number of tokens in a sample; 0 for sets without tokens.
std::uint64_t tokens_in_sample(const recipe::DataSet& set);

}  // namespace knead::data
