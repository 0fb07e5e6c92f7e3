#include "runner/data/data_files.h"

#include <fmt/format.h>

#include "runner/data/images/image_list.h"
#include "runner/data/paths.h"
#include "runner/data/sample_digest.h"
#include "runner/files/digest.h"

namespace knead::data {
namespace {

using Files = std::vector<std::filesystem::path>;

/// Of a set whose keys name one file, or one folder.
Files files_of_kind(const auto& kind) { return {kind.path}; }

/// Of a set whose fields name a file each.
Files files_of_fields(const auto& fields) {
  Files files;
  for (const auto& [name, field] : fields) files.push_back(field.path);
  return files;
}

Files files_of_kind(const recipe::Npy& npy) { return files_of_fields(npy.fields); }
Files files_of_kind(const recipe::Idx& idx) { return files_of_fields(idx.fields); }

Files files_of_kind(const recipe::Csv& csv) { return {csv.path.value()}; }

/// The tokenizer's file belongs to the text.
Files files_of_kind(const recipe::Text& text) {
  Files files = named_files(text.path.value());
  if (const auto* bpe = std::get_if<recipe::BpeTokenizer>(&text.tokenizer))
    files.push_back(bpe->file);
  return files;
}

/// What says how the tokens lie belongs to them.
Files files_of_kind(const recipe::Tokens& tokens) {
  Files files;
  for (auto& path : named_files(tokens.path.value())) {
    files.push_back(path);
    if (tokens.header != recipe::Tokens::Header::megatron) continue;
    files.push_back(path.replace_extension(".idx"));
  }
  return files;
}

}  // namespace

Files files_of(const recipe::DataSet& set) {
  return std::visit([](const auto& kind) { return files_of_kind(kind); }, set);
}

std::string data_digest(const recipe::DataSet& set) {
  if (const auto* images = std::get_if<recipe::Images>(&set)) return images_digest(*images);
  const Files files = files_of(set);
  if (files.size() == 1) return sample_digest(files[0]);
  std::string all;
  for (const auto& file : files)
    all += fmt::format("{}: {}\n", file.filename().string(), sample_digest(file));
  return fmt::format("{} files, {}", files.size(), files::digest(all));
}

}  // namespace knead::data
