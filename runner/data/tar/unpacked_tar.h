#pragma once

#include <filesystem>
#include <optional>

#include "runner/data/packed/unpacker.h"
#include "runner/data/web/cache.h"
#include "runner/files/file_system.h"
#include "runner/files/known_file.h"

namespace knead::data {

/// Keeps unpacked copies of packed archives, one for each path:
///
///     FOLDER/<digest of the path>/NAME.tar        appears whole
///                                 unpacked.json   KnownFile of the packed and the unpacked file
///
/// A copy is used if the packed and the unpacked file still have their recorded content, by digests
/// of all bytes; otherwise the archive is unpacked again. The digests are computed only if the
/// stamp of a file differs. The stamp contains the time of the last change, which no process can
/// set back; the stamp of a packed file that is young is not recorded.
class UnpackedTars {
 public:
  /// `folder`: the root of the cache. `say`: receives progress messages, each a sentence. Borrows
  /// `disk`. Reads and writes nothing yet.
  UnpackedTars(files::FileSystem& disk, std::filesystem::path folder, Say say)
      : disk_(disk), folder_(std::move(folder)), say_(std::move(say)) {}

  /// Returns the path of the unpacked archive and unpacks it first if necessary. Of several
  /// processes one unpacks and the others wait, up to an hour. `packing`: gzip or zstd. A copy that
  /// is up to date is found without a lock, so a cache may be read-only. Throws knead::Error with
  /// the offset in the packed file if it is damaged, or if the disk is full; then no file is left
  /// behind. Removes what a killed process left behind.
  std::filesystem::path find(const files::OpenFile& packed, Packing packing) const;

 private:
  /// Names the paths of a cached archive.
  struct Place;
  /// Holds the content of unpacked.json.
  struct Record;

  /// Returns the paths for a packed archive.
  Place place_of(const std::filesystem::path& packed) const;
  /// Reads the record; std::nullopt if it or the archive is missing or malformed.
  std::optional<Record> read_record(const Place& place) const;
  /// Replaces the record of a cached archive, as a whole.
  void write_record(const Place& place, const Record& record) const;
  /// Returns whether both stamps are as recorded.
  bool is_known(const files::OpenFile& packed, const Place& place) const;
  /// Returns whether both files have the recorded content; reads them if their stamps differ.
  bool holds(const files::OpenFile& packed, const Place& place) const;
  /// Removes the files of a process that was killed.
  void remove_leftovers(const Place& place) const;
  /// Replaces the cached archive and its record.
  void unpack(const files::OpenFile& packed, Packing packing, const Place& place) const;
  /// Writes the unpacked archive, renames it to its place and writes its record.
  void write(const files::OpenFile& packed, Packing packing, const Place& place) const;

  files::FileSystem& disk_;
  std::filesystem::path folder_;
  Say say_;
};

/// Returns the unpacked name of a packed archive: "a.tar" for a.tar.gz, a.tgz, a.tar.zst and a.gz;
/// for any other name, that name with ".tar" behind it.
std::string unpacked_name(std::string packed);

}  // namespace knead::data
