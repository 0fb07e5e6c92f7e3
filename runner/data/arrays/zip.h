#pragma once

#include <string>

#include "runner/files/budget.h"
#include "runner/files/mapped_file.h"
#include "runner/files/zip_archive.h"

namespace knead::data {

/// Reads the members of an npz archive that is in memory or mapped. Shares the bytes, so that
/// members which are views of them outlive this object.
class NpzArchive {
 public:
  /// `name`: the file, for messages. Reads the directory only. Throws knead::Error with the offset
  /// if the bytes are not a whole zip archive in one file, if a member is encrypted or neither
  /// stored nor deflated, or if two members have one name.
  /// Takes the memory of the directory from `budget`.
  NpzArchive(files::Bytes bytes, std::string name, files::Budget& budget);

  /// Returns the members in the order of the directory: "images.npy" for the array 'images'.
  const std::vector<files::ZipEntry>& entries() const { return archive_.entries(); }

  /// Returns the bytes of a member: a view of the archive if the member is stored, else newly
  /// allocated memory. Reads all bytes of the member to check them. Throws knead::Error if the size
  /// or the CRC-32 is wrong, if there is not enough memory, or if the members read so far unpack to
  /// more than files::most_unpacked() of the archive.
  files::Bytes read(const files::ZipEntry& entry);

 private:
  files::Bytes bytes_;
  std::string name_;
  files::ZipArchive archive_;
  std::uint64_t unpacked_ = 0;  // bytes of deflated members that were read
};

}  // namespace knead::data
