#include "runner/data/sets/data_files.h"

#include <fmt/format.h>

#include "runner/data/images/image_list.h"
#include "runner/data/sets/selection.h"
#include "runner/data/source/paths.h"
#include "runner/files/sample_digest.h"
#include "runner/data/tar/plain_tars.h"
#include "runner/files/digest.h"

namespace knead::data {
namespace {

using Files = std::vector<std::filesystem::path>;

/// Returns the file of a set whose keys name one file.
Files files_of_kind(const auto& kind) { return {kind.path.value()}; }

/// Returns the folder or the list of a set of images.
Files files_of_kind(const recipe::Images& images) { return {images.path}; }

/// Returns the files of a set whose fields name a file each.
Files files_of_fields(const auto& fields) {
  Files files;
  for (const auto& [name, field] : fields) files.push_back(field.path.value());
  return files;
}

Files files_of_kind(const recipe::Npy& npy) { return files_of_fields(npy.fields); }
Files files_of_kind(const recipe::Idx& idx) { return files_of_fields(idx.fields); }

/// Returns the files of a text and the file of its tokenizer, which determines the samples too.
Files files_of_kind(const recipe::Text& text) {
  Files files = named_files(text.path.value());
  if (const auto* bpe = std::get_if<recipe::BpeTokenizer>(&text.tokenizer))
    files.push_back(bpe->file.value());
  return files;
}

/// Returns the files of tokens and, for Megatron, the indices that describe them.
Files files_of_kind(const recipe::Tokens& tokens) {
  Files files;
  for (auto& path : named_files(tokens.path.value())) {
    files.push_back(path);
    if (tokens.header != recipe::Tokens::Header::megatron) continue;
    files.push_back(path.replace_extension(".idx"));
  }
  return files;
}

Files files_of_kind(const recipe::Tar& tar) { return named_files(tar.path.value()); }

Files files_of_kind(const recipe::Mix& mix) {
  Files files;
  for (const recipe::MixMember& member : mix.of) {
    const Files more = files_of(set_of(member));
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

/// Returns the files that the digest is computed from. Packed archives are replaced by their
/// unpacked copies, so that the digest does not depend on the packing.
Files files_read_of(const recipe::DataSet& set) {
  const auto* tar = std::get_if<recipe::Tar>(&set);
  if (!tar) return files_of(set);
  Files files;
  for (const PlainTar& plain : plain_tars(*tar)) files.push_back(plain.path);
  return files;
}

/// Returns a digest of the digests of all sets of a mix.
std::string mix_digest(const recipe::Mix& mix) {
  std::string all;
  for (const recipe::MixMember& member : mix.of) all += data_digest(set_of(member)) + "\n";
  return fmt::format("{} sets, {}", mix.of.size(), files::digest(all));
}

}  // namespace

Files files_of(const recipe::DataSet& set) {
  return std::visit([](const auto& kind) { return files_of_kind(kind); }, set);
}

std::string data_digest(const recipe::DataSet& set) {
  if (const auto* images = std::get_if<recipe::Images>(&set)) return images_digest(*images);
  if (const auto* mix = std::get_if<recipe::Mix>(&set)) return mix_digest(*mix);
  const Files files = files_read_of(set);
  if (files.size() == 1) return files::sample_digest(files[0]);
  std::string all;
  for (const auto& file : files)
    all += fmt::format("{}: {}\n", file.filename().string(), files::sample_digest(file));
  return fmt::format("{} files, {}", files.size(), files::digest(all));
}

}  // namespace knead::data
