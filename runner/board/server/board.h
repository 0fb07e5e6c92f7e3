#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runner/board/runs/watched_folder.h"
#include "runner/board/server/board_page.h"
#include "runner/board/server/target.h"
#include "runner/report/contained_files.h"
#include "runner/report/followed_run.h"

namespace knead::board {

/// Holds the answer to a request.
struct Answer {
  int status = 200;
  std::string type = "text/html; charset=utf-8";
  std::string body{};
};

/// Returns the answer that says in a sentence why there is no other.
Answer sentence(int status, std::string_view words);

/// All that the board shows of a folder, without the network: pages, and what has changed. Reads
/// only what is asked for and new. Nothing outside of the folder is read, whatever a request says
/// or lies there. Not thread-safe.
class Board {
 public:
  /// Looks at all runs of the folder, which may be that of a run, of runs or of a sweep. Throws
  /// knead::Error if it is missing.
  explicit Board(const std::filesystem::path& folder);

  /// Answers a target: /, /list?folder=…, /run?name=…, /compare?run=…&run=…, /sweep?name=…,
  /// /board.js, /page.js, /board.css. Names are paths below the folder. Throws nothing but
  /// std::bad_alloc.
  Answer answer(const Target& target);

  /// Returns whether the folder exists whose events a page wants; its runs are watched from then
  /// on.
  bool follow(const std::string& folder);

  /// Returns the runs of a folder, by name, that have changed since the last call for it.
  std::set<std::string> take_changes(const std::string& folder);

 private:
  /// A list of runs that somebody looks at.
  struct Followed {
    std::unique_ptr<WatchedFolder> runs;
    std::set<std::string> changed{};
    std::uint64_t used = 0;
  };

  /// Returns the path of a name below the folder; std::nullopt if it leads elsewhere, or is not
  /// there.
  std::optional<std::filesystem::path> path_of(std::string_view name);
  /// Returns the name below the folder of a path in it.
  std::string name_of(const std::filesystem::path& path) const;
  /// Returns the folder of runs in which a run lies.
  std::string parent_of(const std::string& run) const;

  Followed& followed(const std::string& folder);
  void look(Followed& followed);
  report::FollowedRun& run_at(const std::filesystem::path& path);

  Answer list(const std::string& folder);
  Answer run(const std::string& name);
  Answer compare(const std::vector<std::string>& names);
  Answer sweep(const std::string& name);
  Answer answer_or_throw(const Target& target);

  std::filesystem::path folder_;
  report::ContainedFiles files_;
  std::map<std::string, Followed> followed_;
  struct Kept {
    std::filesystem::path path;
    std::unique_ptr<report::FollowedRun> run;
  };
  std::vector<Kept> kept_;  // whose curves are in memory, the last used one last
  std::uint64_t uses_ = 0;
};

}  // namespace knead::board
