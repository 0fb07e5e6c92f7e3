#pragma once

#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "runner/data/tar/unpacked_tar.h"
#include "runner/files/posix_files.h"
#include "tests/data/tar/packed.h"
#include "tests/data/tar/tar_bytes.h"
#include "tests/files/faulty_files.h"
#include "tests/folder.h"

/// A packed archive and a cache.

namespace knead::tests {

inline const std::string kTar = tar({{"a.cls", "1"}, {"b.cls", "2"}});

using Packer = std::string (*)(const std::string&);
struct Kind {
  const char* extension;
  data::Packing packing;
  Packer pack;
};
constexpr Kind kKinds[] = {{"gz", data::Packing::gzip, gzipped},
                           {"zst", data::Packing::zstd, zstd_packed}};

/// A packed file, a cache, and what was said.
struct World {
  explicit World(const Kind& how, const std::string& bytes = kTar) : kind(how) {
    write(kind.pack(bytes));
  }

  void write(const std::string& bytes) const { write_text(packed(), bytes); }
  std::filesystem::path packed() const { return folder / ("a.tar." + std::string(kind.extension)); }

  std::filesystem::path find(files::FileSystem& with) {
    said.clear();
    const data::UnpackedTars cache(with, folder / "cache",
                                   [this](const std::string& line) { said += line + "\n"; });
    return cache.find(files::OpenFile(packed()), kind.packing);
  }
  std::filesystem::path find() { return find(disk); }
  std::string found() { return text_of(find()); }

  /// What is said against it, behind the file's name.
  std::string refusal(files::FileSystem& with) {
    try {
      find(with);
    } catch (const Error& error) {
      const std::string what = error.what();
      REQUIRE(what.starts_with(packed().string()));
      REQUIRE_FALSE(error.remedy().empty());
      return what.substr(packed().string().size());
    }
    return "";
  }
  std::string refusal() { return refusal(disk); }

  /// The files of the cache but for locks.
  std::string left() const {
    std::string names;
    if (!std::filesystem::exists(folder / "cache")) return names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "cache")) {
      if (entry.is_regular_file() && entry.path().filename() != "LOCK")
        names += entry.path().filename().string() + " ";
    }
    return names;
  }

  Kind kind;
  Folder folder;
  files::PosixFiles real;
  FaultyFiles disk{
      real, [](int, Call call,
               const std::filesystem::path&) {  // a power cut is not tested: it is 100 times faster
        const bool syncs = call == Call::sync || call == Call::sync_folder;
        return Fault{syncs ? Fault::Kind::ignore : Fault::Kind::none};
      }};
  std::string said;
};

}  // namespace knead::tests
