#include "runner/launch/last_lines.h"

#include <algorithm>

#include "schema/document/shown_text.h"
#include "schema/document/source.h"

namespace knead::launch {
namespace {

/// Returns the last version of a line that was written over after '\r'.
std::string_view last_version(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t start = line.rfind('\r');
  return start == line.npos ? line : line.substr(start + 1);
}

/// Keeps the end of a line; `most` are bytes, with those of the mark.
std::string end_of(const std::string& line, std::size_t most) {
  constexpr std::string_view mark = "…";
  std::size_t start = line.size() - (most - mark.size());
  while (start < line.size() && !schema::begins_code_point(line[start])) ++start;
  return std::string(mark) + line.substr(start);
}

}  // namespace

std::vector<std::string> last_lines(std::string_view output) {
  std::vector<std::string> lines;
  std::size_t room = kMostLastBytes;
  while (!output.empty() && lines.size() < kMostLastLines) {
    const std::size_t end = output.rfind('\n');
    const std::size_t start = end == output.npos ? 0 : end + 1;
    std::string line = schema::shown_text(last_version(output.substr(start)));
    output = output.substr(0, end == output.npos ? 0 : end);
    if (line.find_first_not_of(' ') == line.npos) continue;
    if (line.size() > room) {
      if (lines.empty()) lines.push_back(end_of(line, room));
      break;
    }
    room -= line.size();
    lines.push_back(std::move(line));
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

}  // namespace knead::launch
