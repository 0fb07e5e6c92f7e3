#include "schema/sweep_values.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "schema/document/scalar.h"
#include "schema/rules/swept_value.h"
#include "schema/variations.h"

namespace knead::schema {
namespace {

/// Values of a sweep that are assigned together.
struct Tried {
  std::vector<Assignment> assignments;
  std::string words;  // "optimizer.lr=-1"
};

using Identity = std::tuple<std::string, const Source*, std::size_t>;

Identity identity_of(const Problem& problem) {
  return {problem.code, problem.place.source.get(), problem.place.begin};
}

/// Returns whether a value, or one inside it, stands at a place.
bool has_place(const Node& value, const Place& place) {
  const auto item_has = [&](const Node& item) { return has_place(item, place); };
  const auto entry_has = [&](const Entry& entry) {
    return entry.place == place || has_place(entry.value, place);
  };
  return value.place == place || std::any_of(value.items.begin(), value.items.end(), item_has) ||
         std::any_of(value.entries.begin(), value.entries.end(), entry_has);
}

Tried one_value(const Entry& entry, const Node& value) {
  return {{{entry.key, value, entry.place}}, entry.key + "=" + shortened(value)};
}

/// Returns a trial inside of a range of numbers, which is not whole where the ends are.
Tried inside(const Entry& entry, const Node& bounds) {
  const double low = bounds.items[0].number;
  const double high = bounds.items[1].number;
  constexpr double kGoldenRatio = 0.6180339887;
  return one_value(entry, number_node(low + (high - low) * kGoldenRatio, bounds.place));
}

/// Tries values, and collects what each adds to the problems of the recipe.
class Trials {
 public:
  Trials(const Node& tree, const World& world, Problems& problems)
      : tree_(tree), world_(remembering(world)), problems_(problems) {
    tree_.erase("sweep");
    for (const Problem& problem : problems) {
      known_.insert(identity_of(problem));
      known_words_.emplace(problem.code, problem.message);
    }
  }

  /// Tries one trial; returns whether it adds an error.
  bool run(const Tried& tried) {
    constexpr int kMost = 2000;
    if (++count_ > kMost) return false;
    Problems found;
    check_tree(varied(tree_, tried.assignments, found), world_, found);
    bool is_wrong = false;
    for (Problem& problem : found) {
      if (known_.contains(identity_of(problem)) ||
          known_words_.contains({problem.code, problem.message}))
        continue;
      is_wrong = is_wrong || problem.severity == Severity::error;
      add(std::move(problem), tried);
    }
    return is_wrong;
  }

 private:
  void add(Problem problem, const Tried& tried) {
    const std::vector<Assignment>& all = tried.assignments;
    const auto of_key = std::find_if(
        all.begin(), all.end(), [&](const Assignment& one) { return one.place == problem.place; });
    const bool is_inside = std::any_of(all.begin(), all.end(), [&](const Assignment& one) {
      return has_place(one.value, problem.place);
    });
    if (of_key != all.end() && is_about_key(problem, of_key->key)) {
      problem.message = "no trial can have this key: " + problem.message;
    } else if (is_inside) {
      problem.message = "in a trial: " + problem.message;
    } else if (of_key != all.end()) {
      problem.message = fmt::format("with {}: {}", tried.words, problem.message);
      problem.place = of_key->value.place;
    } else {
      // A problem of the recipe as a whole stands at its beginning.
      const bool is_whole = problem.place == tree_.place;
      problem.message = fmt::format("with {}: {}{}", tried.words, problem.message,
                                    is_whole ? "" : fmt::format(" ({})", to_string(problem.place)));
      problem.place = all[0].value.place;
    }
    // Values of one key are wrong for one reason, which is said at the key once.
    if (known_.insert(identity_of(problem)).second) problems_.push_back(std::move(problem));
  }

  /// Returns whether a problem is about a key that the recipe does not know, whatever its value.
  static bool is_about_key(const Problem& problem, const std::string& key) {
    return problem.code == "unknown-key" || problem.code == "bad-override" ||
           !type_at(recipe_type(), key);
  }

  Node tree_;
  World world_;
  Problems& problems_;
  std::set<Identity> known_;
  std::set<std::pair<std::string, std::string>> known_words_;  // codes and messages
  int count_ = 0;
};

/// Returns whether a rule has found a key of a sweep, or its value, wrong.
bool is_known_wrong(const Entry& entry, const Problems& problems) {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    return problem.severity == Severity::error &&
           (problem.place == entry.place || has_place(entry.value, problem.place));
  });
}

/// Returns whether each trial would have an error of the recipe too, at a place that its values may
/// have moved: one outside of the sweep, or a key that was meant for elsewhere.
bool recipe_is_wrong(const Entry& sweep, const Problems& problems) {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    const bool is_inside = problem.place == sweep.place || has_place(sweep.value, problem.place);
    return problem.severity == Severity::error && (!is_inside || problem.code == "unknown-key");
  });
}

/// Tries both ends of a range, and a number inside of one that is not of whole numbers only.
void try_range(const Entry& entry, const Entry& range, Trials& trials, Problems& problems) {
  bool is_wrong = false;
  for (const Node& bound : range.value.items) is_wrong |= trials.run(one_value(entry, bound));
  if (is_wrong || range.key == "integers") return;
  const std::size_t before = problems.size();
  if (!trials.run(inside(entry, range.value))) return;
  problems.resize(before);
  problems.push_back(
      {"sweep-space", range.value.place,
       fmt::format("'{}' gives numbers to '{}' that are not whole", range.key, entry.key),
       fmt::format("write {{integers: [{}, {}]}}, or a list", range.value.items[0].text,
                   range.value.items[1].text)});
}

}  // namespace

void check_sweep_values(const Node& tree, const Checked& checked, const World& world,
                        Problems& problems) {
  const Node* sweep = checked.tree.find("sweep");
  if (!sweep || recipe_is_wrong(*tree.entry("sweep"), problems)) return;
  Trials trials(tree, world, problems);
  const Node* over = sweep->find("over");
  for (const Entry& entry : over ? over->entries : std::vector<Entry>()) {
    const bool is_certain = checked.is_certain("sweep.over." + entry.key);
    if (!is_certain || is_known_wrong(entry, problems)) continue;
    for (const Entry& given : entry.value.entries) {
      if (given.key == "values") {
        for (const Node& value : given.value.items) trials.run(one_value(entry, value));
      } else if (given.key != "points") {
        try_range(entry, given, trials, problems);
      }
    }
  }
  const Node* list = sweep->find("list");
  for (const Node& item : list ? list->items : std::vector<Node>()) {
    Tried tried;
    for (const Entry& entry : item.entries) {
      if (is_known_wrong(entry, problems)) continue;
      Tried one = one_value(entry, entry.value);
      tried.assignments.push_back(std::move(one.assignments[0]));
      tried.words += (tried.words.empty() ? "" : ", ") + one.words;
    }
    if (!tried.assignments.empty()) trials.run(tried);
  }
}

}  // namespace knead::schema
