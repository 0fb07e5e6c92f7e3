#include "runner/data/bpe/tokenizer.h"

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/source.h"

namespace knead::data {

void expect_utf8(std::string_view text, const std::string& file) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = byte < 0x80 ? 1 : schema::sequence_length(text, at);
    if (length == 0)
      throw Error(fmt::format("{}: byte {} (0x{:02X}) is not UTF-8", file, at, byte),
                  "save the file as UTF-8, or read it with tokenizer: bytes");
    at += length;
  }
}

}  // namespace knead::data
