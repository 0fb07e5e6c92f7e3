#include <filesystem>

#include <fmt/format.h>

#include "runner/files/file.h"
#include "runner/files/posix_files.h"
#include "runner/front/terminal.h"
#include "runner/front/verb.h"
#include "runner/report/comparison_page.h"
#include "runner/report/markdown.h"
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
    throw Error(
        fmt::format("'{}' is neither the folder of a run nor that of a sweep", folder.string()),
        "name the folder of a run, runs/<name>; 'knead runs' lists them");
}

/// The texts that are asked for.
struct Texts {
  std::string html;      // empty if it is not asked for
  std::string markdown;  // as above
};

/// Reads what the folders hold: a sweep, a run or several runs.
Texts texts_of(const std::vector<std::string>& folders, bool wants_html, bool wants_markdown) {
  if (folders.size() == 1 && !run::is_run(folders[0])) {
    if (const auto folder = report::sweep_folder(folders[0])) {
      const report::ReportedSweep sweep = report::read_sweep(*folder);
      return {wants_html ? report::html(report::sweep_page(sweep)) : "",
              wants_markdown ? report::sweep_markdown(sweep) : ""};
    }
  }
  if (folders.size() > report::kMostRuns)
    throw Error(fmt::format("'report' takes at most {} runs", report::kMostRuns),
                "name fewer of them", Exit::invalid_recipe);
  std::vector<report::FollowedRun> runs;
  for (const std::string& folder : folders) {
    expect_run(folder);
    runs.push_back(report::read_run(folder, report::columns_for(folders.size())));
  }
  const bool is_single = runs.size() == 1;
  Texts texts;
  if (wants_html)
    texts.html =
        report::html(is_single ? report::run_page(runs[0]) : report::comparison_page(runs));
  if (wants_markdown)
    texts.markdown = is_single ? report::run_markdown(runs[0]) : report::comparison_markdown(runs);
  return texts;
}

}  // namespace

Exit report_verb(const Arguments& arguments) {
  if (arguments.files.empty() || !arguments.overrides.empty())
    throw Error("'report' takes folders of runs, or that of a sweep",
                "for example: " + find_verb("report")->example, Exit::invalid_recipe);
  const bool wants_markdown = arguments.has("markdown");
  const bool wants_html = arguments.has("html") || !wants_markdown;
  const Texts texts = texts_of(arguments.files, wants_html, wants_markdown);
  if (wants_html)
    write(arguments.get("html", (fs::path(arguments.files[0]) / "report.html").string()),
          texts.html);
  if (wants_markdown) write(arguments.get("markdown", ""), texts.markdown);
  return Exit::done;
}

}  // namespace knead::front
