#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "runner/files/file.h"
#include "runner/files/posix_files.h"
#include "runner/front/verb.h"
#include "runner/report/comparison_page.h"
#include "runner/report/markdown.h"
#include "runner/report/run_page.h"
#include "runner/report/sweep_page.h"
#include "runner/run/overview.h"
#include "schema/document/regular_file.h"
#include "schema/document/standard_streams.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

/// Writes a text to a file, or to standard output for "-". Throws knead::Error that names the file
/// and the option.
void write(const std::string& path, const std::string& text, const char* option) {
  if (path == "-") return print(text);
  const fs::path file = fs::path(path).has_parent_path() ? fs::path(path) : "." / fs::path(path);
  files::PosixFiles disk(files::Access::umask);
  try {
    files::publish(disk, file, text);
  } catch (const files::FileError& error) {
    throw Error(fmt::format("cannot write {}: {}", path, std::strerror(error.number())),
                fmt::format("{} takes a file to write, in a folder that there is", option));
  }
  tell(fmt::format("{}\n", path));
}

/// Returns a folder of a run, or the folders of runs in a folder that holds such, by name. Throws
/// knead::Error if it is neither.
std::vector<fs::path> run_folders(const fs::path& folder) {
  if (!schema::is_folder(folder))
    throw Error(fmt::format("there is no folder '{}'", folder.string()),
                "name the folder of a run, runs/<name>; 'knead runs' lists them");
  if (run::is_run(folder)) return {folder};
  std::vector<fs::path> found;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
    // A link could lead anywhere.
    const bool is_folder = fs::is_directory(entry.symlink_status(failure));
    if (is_folder && run::is_run(entry.path())) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  if (!found.empty()) return found;
  throw Error(fmt::format("'{}' is neither the folder of a run nor that of a sweep, and holds none",
                          folder.string()),
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
  std::vector<fs::path> paths;
  for (const std::string& folder : folders)
    for (fs::path& path : run_folders(folder)) paths.push_back(std::move(path));
  if (paths.size() > report::kMostRuns)
    throw Error(fmt::format("a report takes at most {} runs, and these are {}", report::kMostRuns,
                            paths.size()),
                "name fewer of them", Exit::invalid_recipe);
  std::vector<report::FollowedRun> runs;
  for (const fs::path& path : paths)
    runs.push_back(report::read_run(path, report::columns_for(paths.size())));
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
          texts.html, "--html");
  if (wants_markdown) write(arguments.get("markdown", ""), texts.markdown, "--markdown");
  return Exit::done;
}

}  // namespace knead::front
