#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>
#include <zlib.h>

#include <catch2/catch.hpp>

#include "runner/files/mapped_file.h"
#include "schema/error.h"

/// Bytes of array files, and how their readers are put to the test.

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

/// The message that reading something throws; "" if it can be read.
inline std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Every beginning of the bytes is refused, by an Error with the file's name.
inline void check_truncation(const std::string& bytes,
                             const std::function<void(const std::string&)>& read) {
  read(bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    const std::string message = refusal([&] { read(bytes.substr(0, size)); });
    CHECK(message.rfind("the.file", 0) == 0);
  }
}

/// A folder of the test's own, gone with it.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("knead-data-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace knead::tests
