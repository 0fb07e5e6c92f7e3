#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/data/source/source.h"

namespace knead::data {

class Tokenizer;
class TokenStream;

/// What the sets of a recipe share while they are opened.
struct Opening {
  std::uint64_t seed = 0;  // what reading draws at random derives from it
  std::string set;         // that is being opened, for messages: "data.train", "data.train.of.0"

  std::shared_ptr<const Tokenizer> tokenizer;  // of all sets of text, made for the first one
  recipe::Tokenizer tokenizer_options;
  std::vector<std::filesystem::path> alphabet;  // the texts that are trained on
  std::map<std::vector<std::filesystem::path>, std::shared_ptr<const TokenStream>> texts;
};

/// Opens the files of a set, of whatever kind it is but a mix, and checks them. Which rows a set
/// takes is not looked at but for kinds that cut their samples themselves. Throws knead::Error
/// where the files cannot be used.
std::shared_ptr<const Source> open(const recipe::DataSet& set, Opening& opening);

/// A kind of set whose samples are cut out of something longer: `rows` says out of which part, and
/// what is opened has that part only.
template <class Kind>
concept CutsSamples = requires(const Kind& kind) {
  kind.context;
};

/// Tokens in a sample; 0 where a set does not count in tokens.
std::uint64_t tokens_in_sample(const recipe::DataSet& set);

}  // namespace knead::data
