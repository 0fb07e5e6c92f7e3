#include "runner/files/known_file.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace knead::files {

// A young file gets no stamp: a write within the same tick of its clock would not change the stamp.
KnowingReader::KnowingReader(const OpenFile& file)
    : file_(file), stamp_(file.is_young() ? "" : file.stamp()) {}

std::span<const std::byte> KnowingReader::next() {
  constexpr std::uint64_t kBlock = 1 << 20;
  block_.resize(std::min(kBlock, file_.size() - at_));
  file_.read(at_, block_);
  digest_.add(block_);
  at_ += block_.size();
  return block_;
}

KnownFile KnowingReader::known() const {
  file_.check_unchanged();
  return {at_, digest_.text(), stamp_};
}

bool is_still(const OpenFile& file, KnownFile& known, const std::function<void()>& before_reading) {
  if (file.size() != known.size) return false;
  if (file.stamp() == known.stamp) return true;
  before_reading();
  KnowingReader reader(file);
  while (!reader.next().empty()) {
  }
  const KnownFile now = reader.known();
  if (now.digest != known.digest) return false;
  // A file that was only copied or touched is read once and then known by its stamp again.
  known.stamp = now.stamp;
  return true;
}

nlohmann::json to_json(const KnownFile& known) {
  return {{"size", known.size}, {"digest", known.digest}, {"stamp", known.stamp}};
}

KnownFile known_file_in(const nlohmann::json& json) {
  return {json.at("size").get<std::uint64_t>(), json.at("digest").get<std::string>(),
          json.at("stamp").get<std::string>()};
}

}  // namespace knead::files
