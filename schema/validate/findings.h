#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/table/path_set.h"
#include "schema/validate/values.h"

namespace knead::schema {

/// The position of a value in the recipe.
struct Where {
  std::string path;  // dotted: "optimizer.lr"
  Place key;         // the key that the value belongs to

  /// Returns the position of the key or item `name` below this one.
  Where child(std::string_view name, Place place) const;
};

/// Collects the problems of validation, so that one mistake gives one problem: it drops
/// repetitions, does not report a missing key if an unknown key was probably meant as that key, and
/// records doubtful paths for the rules.
///
/// Problems go to the list of the constructor, which must outlive this object. Unknown and missing
/// keys wait until finish(), because each may explain the other.
class Findings {
 public:
  explicit Findings(Problems& problems) : problems_(problems) {}

  /// Adds a problem of the value at `where`, and makes the path doubtful. A problem with the code,
  /// the place and the last step of an earlier one is dropped, but its path is doubtful too.
  void report(const Where& where, Place place, Fault fault);

  /// Adds a problem at the value's own place, or at its key if the value is a block. Without
  /// another hint, the hint names the anchor or the environment variable that the value comes from.
  void report_value(const Where& where, const Node& node, Fault fault);

  /// Keeps a problem until finish(), which drops it if an unknown key was probably meant as the key
  /// at `where` or as one of `or_others` (dotted paths).
  void postpone(const Where& where, Place place, Fault fault,
                std::vector<std::string> or_others = {});

  /// Keeps an unknown key until finish(). `meant` holds the paths, possibly with '*', of the keys
  /// that it may stand for; they become doubtful. After kMostProblems unknown keys `meant` is
  /// ignored.
  void report_unknown_key(const Place& place, std::string_view name, Fault fault,
                          const std::vector<std::string>& meant);

  /// Adds a problem that does not make a path doubtful. Does not drop repetitions.
  void add(Problem problem) { problems_.push_back(std::move(problem)); }

  /// Marks a path as doubtful, so that rules skip it.
  void doubt(std::string path) { doubtful_.insert(std::move(path)); }
  /// Takes back doubt() for this path.
  void trust(const std::string& path) { doubtful_.erase(path); }

  /// Adds the postponed problems that remain, and returns the doubtful paths. Called once, after
  /// the last report.
  PathSet finish();

 private:
  /// Returns whether this problem was not reported before, and remembers it. Compares the code, the
  /// place and the last step of the path.
  bool is_first(const std::string& code, const Place& place, std::string_view path);
  /// Adds the unknown keys. The hint of a key that is missing in another block names that block.
  void settle_unknown_keys();

  struct Postponed {
    std::vector<std::string> paths;  // of the key, then of the alternatives
    Problem problem;
  };

  struct UnknownKey {
    std::string name;
    Problem problem;
  };

  Problems& problems_;
  std::vector<Postponed> postponed_;
  std::vector<UnknownKey> unknown_;
  PathSet meant_;
  PathSet doubtful_;
  std::set<std::tuple<std::string, const Source*, std::size_t, std::string>> reported_;
};

}  // namespace knead::schema
