#include "runner/data/tar/tar_index.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/data/tar/tar_walk.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Splits the name of a file into sample and extension: "a/b.seg.png" belongs to the sample "a/b"
/// and has the extension "seg.png".
struct SampleName {
  std::string sample;
  std::string extension;  // in lower case; empty if the file belongs to no sample
};

SampleName parts_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t begin = slash == name.npos ? 0 : slash + 1;
  const std::size_t dot = name.find('.', begin);
  const bool is_of_the_archive =
      begin == 0 && name.size() > 3 && name.starts_with("__") && name.ends_with("__");
  if (dot == name.npos || dot == begin || is_of_the_archive) return {};
  SampleName out{name.substr(0, dot), name.substr(dot + 1)};
  for (char& c : out.extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

/// Collects the files of the current sample.
struct TarIndex::Open {
  std::string name;
  std::uint64_t at = 0;  // offset of its first file
  std::string archive;
  std::vector<TarEntry> entries;
  std::vector<bool> found;

  void start(std::string sample, std::uint64_t begin) {
    name = std::move(sample);
    at = begin;
    std::fill(found.begin(), found.end(), false);
  }
};

TarIndex::TarIndex(const std::vector<PlainTar>& tars, std::vector<Wanted> wanted)
    : wanted_(std::move(wanted)) {
  files::expect_open_files(tars.size());
  for (const PlainTar& tar : tars) add_archive(tar);
  if (samples() > 0) return;
  std::vector<std::string> extensions;
  for (const Wanted& one : wanted_)
    extensions.insert(extensions.end(), one.extensions.begin(), one.extensions.end());
  throw Error(fmt::format("{}: no sample, no file is named NAME.{}", tars[0].name,
                          fmt::join(extensions, " or NAME.")),
              "'tar tf FILE' lists what is in it");
}

void TarIndex::add_archive(const PlainTar& tar) {
  const auto archive = static_cast<std::uint32_t>(archives_.size());
  const files::OpenFile& file = archives_.emplace_back(tar.path);
  archive_names_.push_back(tar.name);
  TarWalk walk(file, tar.name);
  Open open;
  open.archive = tar.name;
  open.entries.resize(wanted_.size());
  open.found.resize(wanted_.size());
  while (const auto member = walk.next()) {
    SampleName parts = parts_of(member->name);
    if (parts.extension.empty()) continue;
    if (parts.sample != open.name) {
      close(open, archive);
      open.start(std::move(parts.sample), member->begin);
    }
    add_file(open, parts.extension, member->begin, member->size);
  }
  close(open, archive);
}

void TarIndex::add_file(Open& open, const std::string& extension, std::uint64_t begin,
                        std::uint64_t size) const {
  for (std::size_t field = 0; field < wanted_.size(); ++field) {
    const auto& all = wanted_[field].extensions;
    const auto found = std::find(all.begin(), all.end(), extension);
    if (found == all.end()) continue;
    const auto refuse = [&](const std::string& what) {
      throw Error(fmt::format("{}: '{}.{}' {} (byte {})", open.archive, shown_name(open.name),
                              extension, what, begin),
                  fmt::format("field '{}' takes one file of a sample", wanted_[field].field));
    };
    if (open.found[field]) refuse("is a second file for a field of one sample");
    if (size > std::numeric_limits<std::uint32_t>::max())
      refuse("is larger than 4 GiB, which no sample is");
    open.found[field] = true;
    open.entries[field] = {begin, static_cast<std::uint32_t>(size),
                           static_cast<std::uint32_t>(found - all.begin())};
  }
}

/// Files without any field, which lie beside the samples, are skipped.
void TarIndex::close(const Open& open, std::uint32_t archive) {
  if (std::find(open.found.begin(), open.found.end(), true) == open.found.end()) return;
  for (std::size_t field = 0; field < wanted_.size(); ++field) {
    if (open.found[field]) continue;
    throw Error(
        fmt::format("{}: sample '{}' has no file .{} for the field '{}' (byte {})", open.archive,
                    shown_name(open.name), fmt::join(wanted_[field].extensions, " or ."),
                    wanted_[field].field, open.at),
        "the files of a sample stand one behind the other: tar --sort=name writes them so");
  }
  archive_of_.push_back(archive);
  entries_.insert(entries_.end(), open.entries.begin(), open.entries.end());
  names_ += open.name;
  name_ends_.push_back(names_.size());
}

std::string TarIndex::name_of(std::uint64_t sample, std::size_t field) const {
  const std::uint64_t begin = sample == 0 ? 0 : name_ends_[sample - 1];
  const std::string name = names_.substr(begin, name_ends_[sample] - begin);
  return fmt::format("{}: '{}.{}'", archive_names_[archive_of_[sample]], shown_name(name),
                     wanted_[field].extensions[entry(sample, field).extension]);
}

std::string TarIndex::read(std::uint64_t sample, std::size_t field) const {
  const TarEntry& file = entry(sample, field);
  return archive(sample).read(file.begin, file.size);
}

}  // namespace knead::data
