#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/data/tar/plain_tars.h"
#include "runner/files/open_file.h"

namespace knead::data {

/// Describes the file of one field of a sample, without its name to save memory: there may be
/// millions.
struct TarEntry {
  std::uint64_t begin = 0;      // offset in the archive
  std::uint32_t size = 0;       // bytes
  std::uint32_t extension = 0;  // index in the field's extensions
};

/// Locates the samples of several archives, in the order of the archives. As in WebDataset, a
/// sample is a run of adjacent files whose names are equal up to the first dot behind the last
/// slash. Keeps the archives open. Immutable after construction: any thread may call any member.
///
/// A file without a dot in its name or with one at its beginning belongs to no sample, and neither
/// does one called __…__ at the top of an archive. A sample without the file of any field is
/// skipped, so that other files may lie between.
class TarIndex {
 public:
  /// Describes a field by the extensions of its files; each sample has a file with one of them.
  struct Wanted {
    std::string field;
    std::vector<std::string> extensions;  // in lower case
  };

  /// Reads all headers, without the content of the files. Throws knead::Error with archive and byte
  /// if an archive cannot be read, if a sample lacks the file of a field or has two, if such a file
  /// is larger than 4 GiB, or if there are no samples.
  TarIndex(const std::vector<PlainTar>& tars, std::vector<Wanted> wanted);

  /// Returns the number of samples.
  std::uint64_t samples() const { return archive_of_.size(); }
  /// Returns the file of a sample for a field, an index in the `wanted` of the constructor.
  const TarEntry& entry(std::uint64_t sample, std::size_t field) const {
    return entries_[sample * wanted_.size() + field];
  }
  /// Returns the archive that holds a sample.
  const files::OpenFile& archive(std::uint64_t sample) const {
    return archives_[archive_of_[sample]];
  }

  /// Names a file in messages: "shard-0.tar: 'a/17.jpg'". The extension is in lower case, as it was
  /// matched.
  std::string name_of(std::uint64_t sample, std::size_t field) const;

  /// Reads the file of a field into memory. Several threads may call this at the same time. Throws
  /// knead::Error if the archive cannot be read or was cut meanwhile.
  std::string read(std::uint64_t sample, std::size_t field) const;

 private:
  /// Holds the sample whose files are being collected.
  struct Open;

  /// Adds the samples of an archive.
  void add_archive(const PlainTar& tar);
  /// Adds a file to the open sample.
  void add_file(Open& open, const std::string& extension, std::uint64_t begin,
                std::uint64_t size) const;
  /// Ends the open sample and adds it to the index.
  void close(const Open& open, std::uint32_t archive);

  std::vector<Wanted> wanted_;
  std::vector<files::OpenFile> archives_;
  std::vector<std::string> archive_names_;
  std::vector<std::uint32_t> archive_of_;  // by sample
  std::vector<TarEntry> entries_;          // by sample and field
  std::string names_;                      // of all samples, one behind the other
  std::vector<std::uint64_t> name_ends_;   // ends of the names in names_
};

}  // namespace knead::data
