#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <zlib.h>

/// Bytes of array files, as others would write them.

namespace knead::tests {

inline std::string little(std::uint64_t value, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

inline std::string big(std::uint64_t value, std::size_t bytes) {
  const std::string reversed = little(value, bytes);
  return {reversed.rbegin(), reversed.rend()};
}

inline std::string npy(const std::string& header, const std::string& values, int version = 1) {
  const std::string length = little(header.size(), version == 1 ? 2 : 4);
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' + length + header + values;
}

/// The header that NumPy writes.
inline std::string npy_header(const std::string& type, const std::string& shape,
                              const std::string& order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }   \n";
}

/// Deflated bytes: raw, or as a gzip file.
inline std::string deflated(const std::string& bytes, bool as_gzip) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, as_gzip ? 31 : -15, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// What a zip archive says about one of its files, and may lie about.
struct Zipped {
  std::string name;
  std::string content;
  bool deflate = false;
  bool with_zip64 = false;
  std::uint64_t claimed_size = 0;  // 0: the truth
  std::uint32_t crc_error = 0;
};

inline std::string zip(const std::vector<Zipped>& files) {
  std::string out;
  std::string directory;
  for (const Zipped& file : files) {
    const std::string packed = file.deflate ? deflated(file.content, false) : file.content;
    const auto crc =
        static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(file.content.data()),
                                         static_cast<uInt>(file.content.size())));
    const std::uint64_t size = file.claimed_size ? file.claimed_size : file.content.size();
    const std::string extra = file.with_zip64 ? little(1, 2) + little(24, 2) + little(size, 8) +
                                                    little(packed.size(), 8) + little(out.size(), 8)
                                              : "";
    const auto in_32 = [&](std::uint64_t value) {
      return little(file.with_zip64 ? 0xFFFFFFFF : value, 4);
    };
    const std::string facts = little(file.deflate ? 8 : 0, 2) + little(0, 4) +
                              little(crc ^ file.crc_error, 4) + in_32(packed.size()) + in_32(size) +
                              little(file.name.size(), 2);
    directory += little(0x02014b50, 4) + little(45, 2) + little(45, 2) + little(0, 2) + facts +
                 little(extra.size(), 2) + little(0, 2) + little(0, 4) + little(0, 4) +
                 in_32(out.size()) + file.name + extra;
    out += little(0x04034b50, 4) + little(45, 2) + little(0, 2) + facts + little(0, 2) + file.name +
           packed;
  }
  return out + directory + little(0x06054b50, 4) + little(0, 4) + little(files.size(), 2) +
         little(files.size(), 2) + little(directory.size(), 4) + little(out.size(), 4) +
         little(0, 2);
}

}  // namespace knead::tests
