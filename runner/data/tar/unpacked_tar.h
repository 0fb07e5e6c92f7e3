#pragma once

#include <filesystem>
#include <optional>

#include "runner/data/packed/unpacker.h"
#include "runner/data/web/cache.h"
#include "runner/files/file_system.h"
#include "runner/files/known_file.h"

namespace knead::data {

/// The cache of archives that were packed, one for each path:
///
///     FOLDER/<digest of the path>/NAME.tar        appears whole
///                                 unpacked.json   what it is of: KnownFile of both
///
/// An archive is taken from there where the packed file and the unpacked one hold what they held,
/// by digests of every byte; where either does not, it is unpacked again in its place. Digests are
/// only computed where the system says that a file may have changed: the time of the last change,
/// which nobody can set back, is part of that, and the stamp of a file that is young says nothing.
class UnpackedTars {
 public:
  UnpackedTars(files::FileSystem& disk, std::filesystem::path folder, Say say)
      : disk_(disk), folder_(std::move(folder)), say_(std::move(say)) {}

  /// Where a packed archive lies unpacked. Several processes unpack it once, and wait for each
  /// other. Throws knead::Error with the byte of the packed file where it is damaged, and where
  /// there is no room; nothing is left then, and what a killed process left goes with the next
  /// call.
  std::filesystem::path find(const files::OpenFile& packed, Packing packing) const;

 private:
  struct Place;
  struct Record;

  Place place_of(const std::filesystem::path& packed) const;
  std::optional<Record> read_record(const Place& place) const;
  void write_record(const Place& place, const Record& record) const;
  bool is_known(const files::OpenFile& packed, const Place& place) const;
  bool holds(const files::OpenFile& packed, const Place& place) const;
  void remove_leftovers(const Place& place) const;
  void unpack(const files::OpenFile& packed, Packing packing, const Place& place) const;
  void write(const files::OpenFile& packed, Packing packing, const Place& place) const;

  files::FileSystem& disk_;
  std::filesystem::path folder_;
  Say say_;
};

/// "a.tar" of a.tar.gz, a.tgz or a.tar.zst.
std::string unpacked_name(std::string packed);

}  // namespace knead::data
