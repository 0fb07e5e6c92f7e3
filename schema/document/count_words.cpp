#include "schema/document/count_words.h"

#include <fmt/format.h>

namespace knead::schema {

std::string count_words(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace knead::schema
