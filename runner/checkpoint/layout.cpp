#include "runner/checkpoint/layout.h"

#include <stdexcept>

#include "runner/checkpoint/names.h"
#include "runner/files/folders.h"
#include "runner/files/safetensors.h"
#include "schema/document/json_text.h"

namespace knead::checkpoint {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kManifestOverhead = 16 << 10;  // without the facts

}  // namespace

std::string state_text(const nlohmann::json& state) {
  std::string text = schema::json_text(state);
  // json_text() writes NaN and infinities as null, which would show only when the run is resumed.
  if (schema::parse_json(text) != state) {
    throw std::invalid_argument("the state has a number that is not finite: save it as a word");
  }
  return text;
}

std::uint64_t size_on_disk(const SmallFiles& small, const nlohmann::json& facts) {
  std::uint64_t size = kManifestOverhead + schema::json_text(facts).size();
  for (const auto& [name, text] : small) size += text.size() + kFileOverhead;
  return size;
}

void write_small_files(files::FileSystem& files, const fs::path& folder, const SmallFiles& small,
                       Manifest& manifest) {
  for (const auto& [name, text] : small)
    manifest.files[name] = files::write_new(files, folder / name, files::text_content(text));
  const std::string text = manifest_text(manifest);
  files::write_new(files, folder / kManifestFile, files::text_content(text));
  // Makes the names of the files durable. The caller does that for the name of the folder.
  files::sync_folder(files, folder);
}

Layout::Layout(const Snapshot& snapshot)
    : snapshot_(snapshot), small_{{kStateFile, state_text(snapshot.state)}} {
  for (const Part& part : snapshot.parts) {
    if (!is_tensor_file(part.file))
      throw std::invalid_argument(part.file + " is no name of a part");
    planned_.push_back({part.file, files::safetensors(part.tensors, part.metadata),
                        files::safetensors_size(part.tensors, part.metadata)});
  }
}

std::uint64_t Layout::size() const {
  std::uint64_t size = size_on_disk(small_, snapshot_.facts);
  for (const Planned& planned : planned_) size += planned.size + kFileOverhead;
  return size;
}

Manifest Layout::write(files::FileSystem& files, const fs::path& folder, const std::string& run,
                       const std::optional<Parent>& parent) const {
  Manifest manifest;
  manifest.run = run;
  manifest.parent = parent;
  manifest.step = snapshot_.step;
  manifest.tensors = snapshot_.tensors;
  manifest.facts = snapshot_.facts;
  files::make_folder(files, folder);
  for (const Planned& planned : planned_) {
    manifest.files[planned.file] = files::write_new(files, folder / planned.file, planned.content);
  }
  write_small_files(files, folder, small_, manifest);
  return manifest;
}

}  // namespace knead::checkpoint
