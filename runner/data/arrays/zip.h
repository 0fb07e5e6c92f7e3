#pragma once

#include <string>

#include "runner/files/mapped_file.h"
#include "runner/files/zip_archive.h"

namespace knead::data {

/// An npz archive in memory. Throws knead::Error with the byte of what is wrong: no archive, one
/// that is cut short or split, an entry that is encrypted or packed in another way, names that are
/// there twice.
class NpzArchive {
 public:
  /// `name`: the file, for messages.
  NpzArchive(files::Bytes bytes, std::string name);

  const std::vector<files::ZipEntry>& entries() const { return archive_.entries(); }

  /// What an entry holds: a view of a stored one, else unpacked memory. Checks size and CRC-32.
  files::Bytes read(const files::ZipEntry& entry) const;

 private:
  files::Bytes bytes_;
  std::string name_;
  files::ZipArchive archive_;
};

}  // namespace knead::data
