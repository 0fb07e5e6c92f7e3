#include "runner/data/tar/plain_tars.h"

#include <fmt/format.h>

#include "runner/data/packed/unpacker.h"
#include "runner/data/source/paths.h"
#include "runner/data/tar/tar_walk.h"
#include "runner/data/tar/unpacked_tar.h"
#include "runner/files/open_file.h"
#include "runner/files/posix_files.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

PlainTar plain_tar(const std::filesystem::path& path) {
  const files::OpenFile file(path);
  const std::string beginning = file.beginning(kTarBlock);
  // An archive is recognised first, because the name of its first file may begin like a packed
  // file.
  const Packing packing = begins_tar(beginning) ? Packing::none : packing_of(beginning);
  if (packing == Packing::none) return {path, path.string()};
  if (packing == Packing::other)
    throw Error(path.string() + " is packed in a way that is not read",
                fmt::format("unpack it once, {} FILE, or pack it by gzip or zstd",
                            unpacking_program(beginning)));
  files::PosixFiles disk;
  const UnpackedTars cache(disk, cache_folder("unpacked", "unpacked"), say_on_stderr);
  return {cache.find(file, packing), path.string() + ", unpacked"};
}

}  // namespace

std::vector<PlainTar> plain_tars(const recipe::Tar& tar) {
  std::vector<PlainTar> tars;
  for (const auto& path : named_files(tar.path.value())) tars.push_back(plain_tar(path));
  return tars;
}

}  // namespace knead::data
