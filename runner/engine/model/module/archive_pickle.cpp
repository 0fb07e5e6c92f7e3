#include "runner/engine/model/module/archive_pickle.h"

#include <cstdint>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

constexpr std::size_t kMostContainers = 1'000'000;

/// Reads a little-endian number of `bytes` bytes; more than any size if the text ends before.
std::uint64_t number_at(std::string_view text, std::size_t at, std::size_t bytes) {
  if (at + bytes > text.size()) return ~std::uint64_t{0};
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i > 0; --i) {
    number = number << 8U | static_cast<unsigned char>(text[at + i - 1]);
  }
  return number;
}

/// Returns the bytes of the argument of an operation of a pickle whose opcode is at `at`, its
/// length included; those to the end of the text if a line or a length does not end in it.
std::uint64_t argument_size(std::string_view text, std::size_t at) {
  const auto counted = [&](std::size_t bytes) {
    const std::uint64_t size = number_at(text, at + 1, bytes);
    return size > text.size() ? ~std::uint64_t{0} : size + bytes;
  };
  const auto lines = [&](int count) {
    std::size_t end = at + 1;
    for (; count > 0 && end != text.npos + 1; --count) end = text.find('\n', end) + 1;
    return end == 0 ? ~std::uint64_t{0} : std::uint64_t{end - at - 1};
  };
  const auto is_one_of = [&](std::string_view codes) { return codes.find(text[at]) != codes.npos; };
  if (is_one_of("Khq\x80")) return 1;
  if (is_one_of("M")) return 2;
  if (is_one_of("Jjr")) return 4;
  if (is_one_of("G\x95")) return 8;
  if (is_one_of("UC\x8a\x8c")) return counted(1);
  if (is_one_of("XTB\x8b")) return counted(4);
  if (is_one_of("\x8d\x8e\x96")) return counted(8);
  if (is_one_of("ci")) return lines(2);
  return is_one_of("FILPSVgp") ? lines(1) : 0;
}

}  // namespace

void check_pickle(std::string_view text, const std::string& member, const std::string& name) {
  std::size_t containers = 0;
  for (std::size_t at = 0; at < text.size() && text[at] != '.'; ++at) {
    const std::uint64_t size = argument_size(text, at);
    containers += text[at] == ']' || text[at] == '}' || text[at] == '(' ? 1 : 0;
    if (size < text.size() - at && containers <= kMostContainers) {
      at += size;
      continue;
    }
    throw Error(
        fmt::format("{} cannot be loaded: '{}' in it is damaged at byte {}", name, member, at),
        kRemedyOfArchive);
  }
}

}  // namespace knead::engine::model
