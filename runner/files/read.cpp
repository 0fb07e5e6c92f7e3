#include "runner/files/read.h"

#include <new>
#include <utility>

#include <fmt/format.h>

#include "runner/files/open_file.h"
#include "schema/document/byte_words.h"
#include "schema/document/error.h"

namespace knead::files {

std::string read_text(const std::filesystem::path& path) {
  const OpenFile file(path);
  file.expect_content();
  try {
    return file.read(0, file.size());
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{} has {}, for which there is no memory", path.string(),
                            schema::byte_words(static_cast<double>(file.size()))),
                "divide it into several files");
  }
}

std::optional<std::string> read_text_if_possible(const std::filesystem::path& path) {
  try {
    return read_text(path);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string read_text_or_nothing(const std::filesystem::path& path) {
  std::optional<std::string> text = read_text_if_possible(path);
  return text ? std::move(*text) : std::string();
}

}  // namespace knead::files
