#pragma once

#include <string>

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
  NpzArchive(files::Bytes bytes, std::string name);

  /// Returns the members in the order of the directory: "images.npy" for the array 'images'.
  const std::vector<files::ZipEntry>& entries() const { return archive_.entries(); }

  /// Returns the bytes of a member: a view of the archive if the member is stored, else newly
  /// allocated memory. Reads all bytes of the member to check them. Throws knead::Error if the size
  /// or the CRC-32 is wrong, or if there is not enough memory.
  files::Bytes read(const files::ZipEntry& entry) const;

 private:
  files::Bytes bytes_;
  std::string name_;
  files::ZipArchive archive_;
};

}  // namespace knead::data
