// Any bytes as a file in the folder of a run. The first byte says which one the others are: m a
// manifest, whose last line is made right; c the state and, behind a zero byte, the tensors of a
// checkpoint whose manifest is right; j and e the journals. Whatever they are, they are read or
// refused with words.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "runner/checkpoint/manifest.h"
#include "runner/checkpoint/names.h"
#include "runner/checkpoint/read.h"
#include "runner/files/digest.h"
#include "runner/files/posix_files.h"
#include "runner/track/journal_reader.h"
#include "schema/document/error.h"

namespace {

using namespace knead;
namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

const fs::path& folder() {
  static const fs::path kFolder = [] {
    fs::path path = fs::temp_directory_path() / ("knead-runs-fuzz-" + std::to_string(::getpid())) /
                    checkpoint::step_name(1);
    fs::create_directories(path);
    return path;
  }();
  return kFolder;
}

void write(const char* name, const std::string& bytes) {
  std::ofstream(folder() / name, std::ios::binary) << bytes;
}

/// Reads a manifest whose digest is made right, so that not each change is refused by it.
void read_manifest(const std::string& head) {
  const std::string text = head + " \"digest\": \"" + files::digest(head) + "\"\n}\n";
  checkpoint::Manifest manifest = checkpoint::read_manifest(text);
  checkpoint::bytes_of(manifest);
  if (checkpoint::manifest_text(manifest).empty()) fail("a manifest without a text");
}

void read_checkpoint(const std::string& bytes) {
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string state = bytes.substr(0, end);
  const std::string tensors = bytes.substr(std::min(end + 1, bytes.size()));
  checkpoint::Manifest manifest;
  manifest.run = "0123456789abcdef0123456789abcdef";
  manifest.step = 1;
  manifest.facts = nlohmann::json::object();
  const auto add = [&](const char* name, const std::string& content) {
    manifest.files[name] = {content.size(), files::digest(content)};
    write(name, content);
  };
  add(checkpoint::kStateFile, state);
  add(checkpoint::kModelFile, tensors);
  write(checkpoint::kManifestFile, checkpoint::manifest_text(manifest));
  files::PosixFiles disk;
  checkpoint::read_checkpoint(disk, folder());
}

template <class Item>
void read_journal(const std::string& bytes) {
  write("journal.jsonl", bytes);
  track::JournalReader<Item> reader(folder() / "journal.jsonl");
  for (int lines = 0; lines < 1000 && reader.next(); ++lines) {
  }
}

void read(char kind, const std::string& bytes) {
  switch (kind) {
    case 'm': return read_manifest(bytes);
    case 'c': return read_checkpoint(bytes);
    case 'j': return read_journal<track::Report>(bytes);
    default: return read_journal<plan::Evaluation>(bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    read(bytes[0], bytes.substr(1));
  } catch (const Error& error) {
    if (std::string(error.what()).empty()) fail("an error without words");
  }
  return 0;
}
