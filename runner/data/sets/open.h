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

/// Holds what the sets of a recipe share while they are opened: one object for all sets, which
/// open() fills. It is not needed once the sources are made. Not thread-safe.
struct Opening {
  std::uint64_t seed = 0;  // of all random numbers drawn while reading
  std::string set;         // set being opened, for messages: "data.train", "data.train.of.0"

  std::shared_ptr<const Tokenizer> tokenizer;  // of all sets of text; null before the first
  /// Holds the options that `tokenizer` was made with; other sets must have equal ones.
  recipe::Tokenizer tokenizer_options;
  std::vector<std::filesystem::path> alphabet;  // files of the training text
  /// Holds the open texts by their files, so that sets of the same text encode it once.
  std::map<std::vector<std::filesystem::path>, std::shared_ptr<const TokenStream>> texts;
};

/// Opens the files of a set of any kind except a mix, and checks them. Ignores the selection of
/// rows, except for kinds that cut their samples out of a stream. Ignores transforms too: see
/// transformed(). Sets opening.tokenizer if the set is the first one of text. Tables are read and
/// text is encoded into memory here; arrays, images and files of tokens stay on the disk. Throws
/// knead::Error if the files cannot be used, and std::logic_error for a mix.
std::shared_ptr<const Source> open(const recipe::DataSet& set, Opening& opening);

/// Holds for kinds of sets whose samples are cut out of a longer stream: text and tokens. Their key
/// `rows` selects a part of the stream, and their source has only that part, so their rows must not
/// be selected a second time.
template <class Kind>
concept CutsSamples = requires(const Kind& kind) {
  kind.context;
};

/// Returns the number of tokens in a sample, by which lengths in tokens are counted: the key
/// `context`, or 0 for sets without tokens. For a mix it is that of its first set. Pure.
std::uint64_t tokens_in_sample(const recipe::DataSet& set);

}  // namespace knead::data
