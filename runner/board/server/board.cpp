#include "runner/board/server/board.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/board/server/list_page.h"
#include "runner/report/comparison_page.h"
#include "runner/report/html.h"
#include "runner/report/reported_sweep.h"
#include "runner/report/run_page.h"
#include "runner/report/sweep_page.h"
#include "runner/run/overview.h"
#include "schema/document/error.h"

namespace knead::board {
namespace {

namespace fs = std::filesystem;

/// How many runs keep their curves, about a megabyte each.
constexpr std::size_t kMostKept = 8;
/// How many folders of runs are watched beside the first.
constexpr std::size_t kMostFollowed = 4;
/// A sweep lies two folders below the folder of runs, its trials three.
constexpr int kMostParts = 6;

/// Returns the folder. Throws knead::Error if there is none.
const fs::path& expect_folder(const fs::path& folder) {
  std::error_code unread;
  if (!fs::is_directory(folder, unread))
    throw Error(fmt::format("there is no folder '{}'", folder.string()),
                "name the folder that runs are in, or that of one run: knead board DIR",
                Exit::not_usable);
  return folder;
}

}  // namespace

Answer sentence(int status, std::string_view words) {
  return {status, "text/plain; charset=utf-8", std::string(words) + "\n"};
}

Board::Board(const fs::path& folder) : folder_(folder), files_(expect_folder(folder)) {
  followed("");
}

std::optional<fs::path> Board::path_of(std::string_view name) {
  fs::path path = folder_;
  int parts = 0;
  for (const fs::path& part : fs::path(name)) {
    if (part.empty() || part == "." || part == ".." || part.is_absolute() || ++parts > kMostParts ||
        part.native().find('\0') != std::string::npos)
      return std::nullopt;
    path /= part;
    if (!files_.has(path)) return std::nullopt;  // a link too
  }
  return path;
}

std::string Board::name_of(const fs::path& path) const {
  const fs::path name = path.lexically_relative(folder_);
  return name == "." ? "" : name.string();
}

std::string Board::parent_of(const std::string& run) const {
  return fs::path(run).parent_path().string();
}

Board::Followed& Board::followed(const std::string& folder) {
  const auto found = followed_.find(folder);
  if (found != followed_.end()) {
    found->second.used = ++uses_;
    return found->second;
  }
  if (followed_.size() > kMostFollowed) {
    auto oldest = followed_.end();
    for (auto each = followed_.begin(); each != followed_.end(); ++each) {
      const bool is_older = oldest == followed_.end() || each->second.used < oldest->second.used;
      if (!each->first.empty() && is_older) oldest = each;
    }
    followed_.erase(oldest);
  }
  Followed& added = followed_[folder];
  added.runs = std::make_unique<WatchedFolder>(folder.empty() ? folder_ : folder_ / folder);
  added.used = ++uses_;
  return added;
}

void Board::look(Followed& followed) {
  for (const fs::path& path : followed.runs->look()) followed.changed.insert(name_of(path));
}

bool Board::follow(const std::string& folder) {
  try {
    if (!path_of(folder)) return false;
    followed(folder);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::set<std::string> Board::take_changes(const std::string& folder) {
  Followed& watched = followed(folder);
  look(watched);
  return std::exchange(watched.changed, {});
}

report::FollowedRun& Board::run_at(const fs::path& path) {
  const auto same = [&](const Kept& kept) { return kept.path == path; };
  const auto found = std::find_if(kept_.begin(), kept_.end(), same);
  if (found != kept_.end()) {
    std::rotate(found, found + 1, kept_.end());
  } else {
    auto run = std::make_unique<report::FollowedRun>(path);
    if (kept_.size() == kMostKept) kept_.erase(kept_.begin());
    kept_.push_back({path, std::move(run)});
  }
  report::FollowedRun& run = *kept_.back().run;
  run.read_on();
  return run;
}

Answer Board::answer(const Target& target) {
  try {
    return answer_or_throw(target);
  } catch (const Error& error) {
    // The message contains the name of a folder, which must not become part of a page.
    return sentence(404, report::escaped(error.what()));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return sentence(500, report::escaped(fmt::format("internal error: {}", error.what())));
  }
}

Answer Board::answer_or_throw(const Target& target) {
  if (target.path == "/board.js")
    return {.type = "text/javascript; charset=utf-8", .body = std::string(board_script)};
  // In a block, whose names are its own: pages run it again for each version of their content.
  if (target.path == "/page.js")
    return {.type = "text/javascript; charset=utf-8",
            .body = fmt::format("{{\n{}\n}}\n", report::page_script)};
  if (target.path == "/board.css")
    return {.type = "text/css; charset=utf-8", .body = std::string(board_style)};
  if (target.path == "/" && run::is_run(folder_)) return run("");
  if (target.path == "/") return list("");
  if (target.path == "/list") return list(target.parameter("folder"));
  if (target.path == "/run") return run(target.parameter("name"));
  if (target.path == "/sweep") return sweep(target.parameter("name"));
  if (target.path == "/compare") return compare(target.all("run"));
  return sentence(404, "there is no such page");
}

Answer Board::list(const std::string& folder) {
  if (!path_of(folder)) return sentence(404, "there is no such folder");
  Followed& watched = followed(folder);
  look(watched);
  const auto names = [this](const fs::path& path) { return name_of(path); };
  BoardPage page{.page = list_page(*watched.runs, names), .folder = folder};
  if (!folder.empty()) page.links = {{"all runs", "."}, {"sweep", "sweep?name=" + encoded(folder)}};
  return {.body = html(page)};
}

Answer Board::run(const std::string& name) {
  const auto path = path_of(name);
  if (!path || !run::is_run(*path)) return sentence(404, "there is no such run");
  BoardPage page{
      .page = report::run_page(run_at(*path)), .folder = parent_of(name), .runs = {name}};
  if (!name.empty()) {
    const std::string parent = parent_of(name);
    page.links.emplace_back("all runs", ".");
    if (!parent.empty()) page.links.emplace_back("trials", "list?folder=" + encoded(parent));
  }
  return {.body = html(page)};
}

Answer Board::compare(const std::vector<std::string>& names) {
  if (names.empty() || names.size() > report::kMostRuns)
    return sentence(400, fmt::format("a comparison is of 1 to {} runs", report::kMostRuns));
  std::vector<report::FollowedRun> runs;
  for (const std::string& name : names) {
    const auto path = path_of(name);
    if (!path || !run::is_run(*path)) return sentence(404, "there is no such run");
    runs.push_back(report::read_run(*path, report::columns_for(names.size())));
  }
  return {.body = html({.page = report::comparison_page(runs),
                        .folder = parent_of(names[0]),
                        .runs = names,
                        .links = {{"all runs", "."}}})};
}

Answer Board::sweep(const std::string& name) {
  const auto path = path_of(name);
  const auto folder = path ? report::sweep_folder(*path) : std::nullopt;
  if (!folder) return sentence(404, "there is no such sweep");
  const std::string trials = name_of(*folder);
  BoardPage page{.page = report::sweep_page(report::read_sweep(*folder)), .folder = trials};
  page.links = {{"all runs", "."}, {"trials", "list?folder=" + encoded(trials)}};
  return {.body = html(page)};
}

}  // namespace knead::board
