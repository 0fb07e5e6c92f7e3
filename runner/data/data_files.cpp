#include "runner/data/data_files.h"

#include <fmt/format.h>

#include "runner/data/sample_digest.h"
#include "runner/files/digest.h"

namespace knead::data {
namespace {

using Files = std::vector<std::filesystem::path>;

Files files_of_kind(const recipe::Csv& csv) { return {csv.path}; }

}  // namespace

Files files_of(const recipe::DataSet& set) {
  return std::visit([](const auto& kind) { return files_of_kind(kind); }, set);
}

std::string data_digest(const recipe::DataSet& set) {
  const Files files = files_of(set);
  if (files.size() == 1) return sample_digest(files[0]);
  std::string all;
  for (const auto& file : files)
    all += fmt::format("{}: {}\n", file.filename().string(), sample_digest(file));
  return fmt::format("{} files, {}", files.size(), files::digest(all));
}

}  // namespace knead::data
