#include <filesystem>

#include <fmt/format.h>

#include "runner/files/file.h"
#include "runner/files/posix_files.h"
#include "runner/front/terminal.h"
#include "runner/front/verb.h"
#include "runner/report/comparison_page.h"
#include "runner/report/run_page.h"
#include "runner/report/sweep_page.h"
#include "runner/run/overview.h"

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

/// Throws knead::Error unless the folder is that of a run, or of files as a run has them.
void expect_run(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw Error(fmt::format("there is no folder '{}'", folder.string()),
                "name the folder of a run, runs/<name>; 'knead runs' lists them");
  if (!run::is_run(folder))
    throw Error(fmt::format("'{}' is the folder of no run and no sweep", folder.string()),
                "name the folder of a run, runs/<name>; 'knead runs' lists them");
}

report::Page page_of(const std::vector<std::string>& folders) {
  if (folders.size() == 1) {
    if (const auto sweep = report::sweep_folder(folders[0]); sweep && !run::is_run(folders[0]))
      return report::sweep_page(report::read_sweep(*sweep));
  }
  if (folders.size() > report::kMostRuns)
    throw Error(fmt::format("'report' takes at most {} runs", report::kMostRuns),
                "name fewer of them", Exit::invalid_recipe);
  std::vector<report::FollowedRun> runs;
  for (const std::string& folder : folders) {
    expect_run(folder);
    runs.push_back(report::read_run(folder, report::columns_for(folders.size())));
  }
  return runs.size() == 1 ? report::run_page(runs[0]) : report::comparison_page(runs);
}

}  // namespace

Exit report_verb(const Arguments& arguments) {
  if (arguments.files.empty() || !arguments.overrides.empty())
    throw Error("'report' takes folders of runs, or that of a sweep",
                "for example: " + find_verb("report")->example, Exit::invalid_recipe);
  const report::Page page = page_of(arguments.files);
  write(arguments.get("html", (fs::path(arguments.files[0]) / "report.html").string()),
        report::html(page));
  return Exit::done;
}

}  // namespace knead::front
