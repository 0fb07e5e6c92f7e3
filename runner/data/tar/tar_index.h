#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/data/tar/plain_tars.h"
#include "runner/files/open_file.h"

namespace knead::data {

/// A field's file of a sample.
struct TarEntry {
  std::uint64_t begin = 0;
  std::uint32_t size = 0;
  std::uint32_t extension = 0;  // which of the field's
};

/// Where the samples of some archives lie, in the order of the archives. A sample is what stands
/// one behind the other under one name up to the first dot behind the last slash, as WebDataset has
/// it.
class TarIndex {
 public:
  /// A field, and the extensions of which it takes one.
  struct Wanted {
    std::string field;
    std::vector<std::string> extensions;  // in small letters
  };

  /// Reads the headers. Throws knead::Error where an archive cannot be read, a sample lacks a field
  /// or has it twice, or there are none.
  TarIndex(const std::vector<PlainTar>& tars, std::vector<Wanted> wanted);

  std::uint64_t samples() const { return archive_of_.size(); }
  const TarEntry& entry(std::uint64_t sample, std::size_t field) const {
    return entries_[sample * wanted_.size() + field];
  }
  const files::OpenFile& archive(std::uint64_t sample) const {
    return archives_[archive_of_[sample]];
  }

  /// "shard-0.tar: 'a/17.jpg'"
  std::string name_of(std::uint64_t sample, std::size_t field) const;

  /// The bytes of a field's file.
  std::string read(std::uint64_t sample, std::size_t field) const;

 private:
  struct Open;

  void add_archive(const PlainTar& tar);
  void add_file(Open& open, const std::string& extension, std::uint64_t begin,
                std::uint64_t size) const;
  void close(const Open& open, std::uint32_t archive);

  std::vector<Wanted> wanted_;
  std::vector<files::OpenFile> archives_;
  std::vector<std::string> archive_names_;
  std::vector<std::uint32_t> archive_of_;  // by sample
  std::vector<TarEntry> entries_;          // by sample and field
  std::string names_;                      // of all samples, one behind the other
  std::vector<std::uint64_t> name_ends_;
};

}  // namespace knead::data
