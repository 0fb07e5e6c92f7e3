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

/// Where a value stands: its dotted path, and the key it is the value of.
struct Where {
  std::string path;
  Place key;

  Where child(std::string_view name, Place place) const;
};

/// What validation has found, so that one mistake becomes one problem: repetitions are dropped, a
/// key is not missed where an unknown key turns out to be the one that was meant, and what is
/// doubtful is known to the rules.
class Findings {
 public:
  explicit Findings(Problems& problems) : problems_(problems) {}

  /// A problem with the value at `where`, which nobody may trust from now on.
  void report(const Where& where, Place place, Fault fault);

  /// The same at the value's own place, or at its key where it is a block; adds where an alias or
  /// the environment has it from.
  void report_value(const Where& where, const Node& node, Fault fault);

  /// A problem that is none if an unknown key is found to mean this one, or one of the others.
  void postpone(const Where& where, Place place, Fault fault,
                std::vector<std::string> or_others = {});

  /// An unknown key, which may mean any of the keys that the patterns stand for.
  void report_unknown_key(const Place& place, std::string_view name, Fault fault,
                          const std::vector<std::string>& meant);

  /// A problem that is no fault of a value.
  void add(Problem problem) { problems_.push_back(std::move(problem)); }

  void doubt(std::string path) { doubtful_.insert(std::move(path)); }
  void trust(const std::string& path) { doubtful_.erase(path); }

  /// Adds the postponed problems that have turned out to be some; gives the doubtful paths.
  PathSet finish();

 private:
  bool is_first(const std::string& code, const Place& place, std::string_view path);
  void settle_unknown_keys();

  struct Postponed {
    std::vector<std::string> paths;  // of the key, and of others that would do instead
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
