#include <algorithm>

#include <fmt/format.h>

#include "runner/checkpoint/inspect.h"
#include "runner/files/posix_files.h"
#include "runner/front/line/terminal.h"
#include "runner/front/verb.h"
#include "schema/document/byte_words.h"
#include "schema/document/regular_file.h"
#include "schema/document/standard_streams.h"

namespace knead::front {
namespace {

std::string checkpoint_line(const checkpoint::Listed& listed, std::size_t width) {
  const std::string name = listed.folder.filename().string();
  if (!listed.manifest) return fmt::format("{:<{}}  damaged  {}\n", name, width, listed.damage);
  const std::size_t files = listed.manifest->files.size() + 1;  // the manifest, too
  return fmt::format(
      "{:<{}}  ok       {} files, {}\n", name, width, files,
      schema::byte_words(static_cast<double>(checkpoint::bytes_of(*listed.manifest))));
}

}  // namespace

Exit verify(const Arguments& arguments) {
  if (arguments.files.size() != 1 || !arguments.overrides.empty())
    throw Error("'verify' takes the folder of a run",
                "for example: " + find_verb("verify")->example, Exit::invalid_recipe);
  const std::filesystem::path folder = arguments.files[0];
  files::PosixFiles disk;
  std::vector<checkpoint::Listed> all = checkpoint::verify_checkpoints(disk, folder);
  // A live run may delete old checkpoints while they are read.
  std::erase_if(all, [](const checkpoint::Listed& each) {
    return !each.manifest && !schema::is_there(each.folder);
  });
  // An empty list is an error, because a mistyped folder must not pass for an undamaged run.
  if (all.empty()) checkpoint::refuse_without_checkpoint(folder);
  std::size_t width = 0;
  for (const checkpoint::Listed& each : all)
    width = std::max(width, each.folder.filename().string().size());
  std::string text;
  for (const checkpoint::Listed& each : all) text += checkpoint_line(each, width);
  print_lines(text);
  const auto damaged =
      std::count_if(all.begin(), all.end(), [](const auto& each) { return !each.manifest; });
  if (damaged == 0) return Exit::done;
  complain(fmt::format("{} of {} checkpoints of {} cannot be used", damaged, all.size(),
                       folder.string()),
           "a run goes on from the newest good one; a damaged one may be deleted");
  return Exit::not_usable;
}

}  // namespace knead::front
