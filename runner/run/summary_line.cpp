#include <fmt/format.h>

#include "runner/run/summary.h"
#include "schema/document/source.h"

namespace knead::run {
namespace {

constexpr std::size_t kColumns = 100;

}  // namespace

std::string summary_line(std::string_view name, const std::string& words) {
  std::string out = fmt::format("  {:<10}", name);
  // Words begin behind two blanks and the ten columns of the name.
  std::size_t width = 13;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    const std::string word = words.substr(begin, end - begin);
    const auto size = static_cast<std::size_t>(schema::code_points(word));
    if (width > 13 && width + size + 1 > kColumns) {
      out += "\n" + std::string(12, ' ');
      width = 13;
    }
    out += " " + word;
    width += size + 1;
    begin = end + 1;
  }
  return out + "\n";
}

}  // namespace knead::run
