#include "runner/data/packed/unpacker.h"

#include <stdexcept>

#include "runner/data/packed/inflate.h"
#include "runner/data/packed/unzstd.h"

namespace knead::data {
namespace {

/// Describes a format by its first bytes and the program that unpacks it.
struct Known {
  std::string_view beginning;
  Packing packing;
  const char* program;
};

using std::string_view_literals::operator""sv;

constexpr Known kKnown[] = {{"\x1f\x8b"sv, Packing::gzip, "gunzip"},
                            {"\x28\xb5\x2f\xfd"sv, Packing::zstd, "unzstd"},
                            {"BZh"sv, Packing::other, "bunzip2"},
                            {"\xfd"
                             "7zXZ\0"sv,
                             Packing::other, "unxz"},
                            {"\x04\x22\x4d\x18"sv, Packing::other, "unlz4"},
                            {"\x1f\x9d"sv, Packing::other, "uncompress"}};

/// Returns whether a file begins with a skippable frame of zstd (RFC 8878), which programs that
/// pack in parallel write first.
bool is_skipped_frame(std::string_view beginning) {
  return beginning.size() >= 4 && beginning.substr(1, 3) == "\x2a\x4d\x18" &&
         (static_cast<unsigned char>(beginning[0]) & 0xF0) == 0x50;
}

const Known* find(std::string_view beginning) {
  if (is_skipped_frame(beginning)) return &kKnown[1];
  for (const Known& known : kKnown) {
    if (beginning.starts_with(known.beginning)) return &known;
  }
  return nullptr;
}

}  // namespace

Packing packing_of(std::string_view beginning) {
  const Known* known = find(beginning);
  return known ? known->packing : Packing::none;
}

const char* unpacking_program(std::string_view beginning) {
  const Known* known = find(beginning);
  return known ? known->program : nullptr;
}

std::unique_ptr<Unpacker> make_unpacker(Packing packing, Pieces pieces, std::string name) {
  if (packing == Packing::gzip)
    return std::make_unique<Inflater>(std::move(pieces), Inflater::Wrapping::gzip, std::move(name),
                                      0);
  if (packing == Packing::zstd) return std::make_unique<Unzstd>(std::move(pieces), std::move(name));
  throw std::logic_error(name + " is not packed in a way that can be unpacked");
}

}  // namespace knead::data
