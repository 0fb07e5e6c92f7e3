// encode_text TOKENIZER [SPLIT]: reads a text in JSON per line, writes its tokens and the text that
// they become again as a JSON list per line.
#include <cstdio>
#include <iostream>

#include "runner/data/bpe/bpe.h"
#include "schema/document/error.h"

int main(int argc, char** argv) {
  using namespace knead;
  recipe::BpeTokenizer options;
  options.file = argc > 1 ? argv[1] : "";
  const std::string split = argc > 2 ? argv[2] : "";
  using Split = recipe::BpeTokenizer::Split;
  if (split == "gpt2") options.split = Split::gpt2;
  if (split == "cl100k") options.split = Split::cl100k;
  if (split == "o200k") options.split = Split::o200k;
  try {
    const auto tokenizer = data::open_bpe(options);
    for (std::string line; std::getline(std::cin, line);) {
      std::vector<std::uint32_t> tokens;
      tokenizer->encode(nlohmann::json::parse(line).get<std::string>(), "the text", tokens);
      // A tokenizer may lose bytes that are no whole character.
      const nlohmann::json both{tokens, tokenizer->decode(tokens)};
      std::cout << both.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n     = %s\n", error.what(), error.remedy().c_str());
    return static_cast<int>(error.code());
  }
}
