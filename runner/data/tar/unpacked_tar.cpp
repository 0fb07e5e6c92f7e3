#include "runner/data/tar/unpacked_tar.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/data/tar/unpacking.h"
#include "runner/files/digest.h"
#include "runner/files/file.h"
#include "runner/files/folders.h"
#include "runner/files/retry.h"
#include "schema/document/byte_words.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"

namespace knead::data {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPartial = ".partial";
constexpr std::uint64_t kLongestRecord = 1 << 16;
constexpr std::uint64_t kSilently = 256'000'000;  // bytes that are read without a message

bool is_there(const fs::path& file) {
  std::error_code failure;
  return fs::exists(file, failure);
}

}  // namespace

struct UnpackedTars::Place {
  fs::path folder;
  fs::path tar;
  fs::path partial;
  fs::path record;
};

struct UnpackedTars::Record {
  files::KnownFile packed;
  files::KnownFile unpacked;
};

std::string unpacked_name(std::string packed) {
  for (const std::string_view end :
       {".tar", ".tar.gz", ".tar.zst", ".tgz", ".tzst", ".gz", ".zst"}) {
    if (packed.size() <= end.size() || !packed.ends_with(end)) continue;
    packed.resize(packed.size() - end.size());
    break;
  }
  return packed + ".tar";
}

UnpackedTars::Place UnpackedTars::place_of(const fs::path& packed) const {
  const fs::path folder = folder_ / files::digest(fs::absolute(packed).lexically_normal().string());
  const fs::path tar = folder / unpacked_name(packed.filename().string());
  return {folder, tar, tar.string() + kPartial, folder / "unpacked.json"};
}

/// Without a readable record the archive is unpacked again.
std::optional<UnpackedTars::Record> UnpackedTars::read_record(const Place& place) const {
  if (!is_there(place.record) || !is_there(place.tar)) return std::nullopt;
  try {
    const auto json = schema::parse_json(files::read_small(disk_, place.record, kLongestRecord));
    if (json.at("version") != 1) return std::nullopt;
    return Record{files::known_file_in(json.at("packed")),
                  files::known_file_in(json.at("unpacked"))};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const files::FileError&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;  // it is too long
  }
}

void UnpackedTars::write_record(const Place& place, const Record& record) const {
  const nlohmann::ordered_json json{{"version", 1},
                                    {"packed", files::to_json(record.packed)},
                                    {"unpacked", files::to_json(record.unpacked)}};
  files::publish(disk_, place.record, schema::json_text(json, 2) + "\n");
}

/// Reads only stamps and takes no lock, so that a cache may be read-only.
bool UnpackedTars::is_known(const files::OpenFile& packed, const Place& place) const {
  try {
    const auto record = read_record(place);
    return record && packed.stamp() == record->packed.stamp &&
           files::OpenFile(place.tar).stamp() == record->unpacked.stamp;
  } catch (const Error&) {
    return false;  // another process may be replacing the files: whoever has the lock looks again
  }
}

bool UnpackedTars::holds(const files::OpenFile& packed, const Place& place) const {
  auto record = read_record(place);
  if (!record) return false;
  const auto say_when_long = [&](const files::OpenFile& file) {
    if (file.size() > kSilently)
      say_(fmt::format("reading {} ({}): it may have changed", file.path().string(),
                       schema::byte_words(static_cast<double>(file.size()))));
  };
  if (!files::is_still(packed, record->packed, [&] { say_when_long(packed); })) return false;
  const files::OpenFile tar(place.tar);
  if (!files::is_still(tar, record->unpacked, [&] { say_when_long(tar); })) {
    say_(fmt::format("{} is not what was written there", place.tar.string()));
    return false;
  }
  // The new stamps make reading the files unnecessary next time.
  write_record(place, *record);
  return true;
}

fs::path UnpackedTars::find(const files::OpenFile& packed, Packing packing) const {
  const Place place = place_of(packed.path());
  try {
    if (is_known(packed, place)) return place.tar;
    files::make_folders(disk_, place.folder);
    const files::Lock lock = lock_cache(place.folder, say_);
    remove_leftovers(place);
    if (!holds(packed, place)) unpack(packed, packing, place);
  } catch (const files::FileError& error) {
    throw Error(fmt::format("{} cannot be unpacked: {}", packed.path().string(), error.what()),
                "KNEAD_HOME names another folder for what is unpacked");
  }
  return place.tar;
}

/// Partial files and the temporary files of publish() are what a killed process leaves behind.
void UnpackedTars::remove_leftovers(const Place& place) const {
  for (const files::Entry& entry : files::list_sorted(disk_, place.folder)) {
    if (entry.name.ends_with(kPartial) || entry.name.starts_with('.'))
      files::remove_if_there(disk_, place.folder / entry.name);
  }
}

void UnpackedTars::unpack(const files::OpenFile& packed, Packing packing,
                          const Place& place) const {
  // The old copy is removed first to free its room. A process that reads it keeps its open file.
  files::remove_if_there(disk_, place.record);
  files::remove_if_there(disk_, place.tar);
  say_(fmt::format("unpacking {} ({})", packed.path().string(),
                   schema::byte_words(static_cast<double>(packed.size()))));
  try {
    write(packed, packing, place);
  } catch (...) {
    files::remove_if_there(disk_, place.partial);
    throw;
  }
}

void UnpackedTars::write(const files::OpenFile& packed, Packing packing, const Place& place) const {
  Unpacking unpacking(disk_, packed, packing, place.folder);
  const files::FileFacts facts = unpacking.write_to(place.partial);
  const files::KnownFile source = unpacking.source();
  files::retry("rename " + place.partial.string(), [&] { disk_.rename(place.partial, place.tar); });
  files::sync_folder(disk_, place.folder);
  // The stamp is recorded even though the file is young, because no other process writes to it.
  write_record(place, {source, {facts.size, facts.digest, files::OpenFile(place.tar).stamp()}});
}

}  // namespace knead::data
