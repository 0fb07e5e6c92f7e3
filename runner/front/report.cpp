#include <filesystem>

#include <fmt/format.h>

#include "runner/files/file.h"
#include "runner/files/posix_files.h"
#include "runner/front/terminal.h"
#include "runner/front/verb.h"
#include "runner/report/run_page.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

/// Writes a text to a file, or to standard output for "-".
void write(const std::string& path, const std::string& text) {
  if (path == "-") return print(text);
  files::PosixFiles disk;
  const fs::path file = path;
  files::publish(disk, file.has_parent_path() ? file : "." / file, text);
  fmt::print(stderr, "{}\n", path);
}

}  // namespace

Exit report_verb(const Arguments& arguments) {
  if (arguments.files.empty() || !arguments.overrides.empty())
    throw Error("'report' takes folders of runs, or that of a sweep",
                "for example: " + find_verb("report")->example, Exit::invalid_recipe);
  const fs::path folder = arguments.files[0];
  const report::FollowedRun run = report::read_run(folder);
  write(arguments.get("html", (folder / "report.html").string()),
        report::html(report::run_page(run)));
  return Exit::done;
}

}  // namespace knead::front
