#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

/// Bytes of tar archives, as others would write them.

namespace knead::tests {

struct TarFile {
  std::string name;
  std::string content;
  char type = '0';
  std::string size_field{};  // what the header claims; the truth where it is empty
};

inline std::string octal(std::uint64_t value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llo", digits, static_cast<unsigned long long>(value));
  return text;
}

/// Replaces a part of a block.
inline void put(std::string& block, std::size_t at, const std::string& text) {
  block.replace(at, text.size(), text);
}

inline std::string tar_header(const TarFile& file) {
  std::string block(512, '\0');
  put(block, 0, file.name.substr(0, 100));
  put(block, 100, octal(0644, 7));
  put(block, 108, octal(0, 7));
  put(block, 116, octal(0, 7));
  put(block, 124, file.size_field.empty() ? octal(file.content.size(), 11) : file.size_field);
  put(block, 136, octal(0, 11));
  put(block, 148, std::string(8, ' '));
  block[156] = file.type;
  put(block, 257, std::string("ustar\0", 6) + "00");
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(block, 148, octal(sum, 6) + '\0');
  return block;
}

/// A header, what it is of, and zeros up to a whole block.
inline std::string tar_member(const TarFile& file) {
  std::string out = tar_header(file) + file.content;
  out.resize((out.size() + 511) / 512 * 512);
  return out;
}

inline std::string tar(const std::vector<TarFile>& files) {
  std::string out;
  for (const TarFile& file : files) out += tar_member(file);
  return out + std::string(1024, '\0');
}

/// "27 path=a/b.jpg\n"
inline std::string pax_record(const std::string& key, const std::string& value) {
  const std::string rest = " " + key + "=" + value + "\n";
  std::size_t size = rest.size() + 1;
  while (std::to_string(size).size() + rest.size() != size) ++size;
  return std::to_string(size) + rest;
}

}  // namespace knead::tests
