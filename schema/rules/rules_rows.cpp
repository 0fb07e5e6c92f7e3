#include <cmath>

#include <fmt/format.h>

#include "schema/rules/rule_list.h"
#include "schema/rules/set_fields.h"
#include "schema/table/read.h"

namespace knead::schema {
namespace {

/// The rows of a file that a set uses: all of them by default.
struct Range {
  Quantity begin{0, Unit::rows};
  Quantity end{INFINITY, Unit::rows};
};

/// Returns the rows of a set, or std::nullopt if they are doubtful.
std::optional<Range> range_of(const RuleView& recipe, const std::string& set) {
  const std::string path = under(set, "rows");
  const Node* rows = recipe.find(path);
  if (!rows) return recipe.is_absent(path) ? std::optional<Range>(Range{}) : std::nullopt;
  Range range;
  read(rows->items[0], range.begin);
  read(rows->items[1], range.end);
  return range;
}

/// Returns whether two bounds can be compared without the file. Row 0 and 0% are the same place;
/// other rows and shares are not comparable.
bool comparable(const Quantity& a, const Quantity& b) {
  return a.unit == b.unit || a.value == 0 || b.value == 0 || std::isinf(a.value) ||
         std::isinf(b.value);
}

bool is_less(const Quantity& a, const Quantity& b) { return comparable(a, b) && a.value < b.value; }

/// Returns the files and URLs of a set and of its fields; empty if they are doubtful.
std::vector<std::string> paths_of(const RuleView& recipe, const std::string& set) {
  std::vector<std::string> paths;
  if (const Node* path = recipe.find(under(set, "path"))) {
    for (const Node& each : path->items) paths.push_back(each.text);
    if (!path->is_list()) paths.push_back(path->text);
  }
  if (const Node* url = recipe.find(under(set, "url"))) paths.push_back(url->text);
  if (const Node* fields = recipe.find(under(set, "fields"))) {
    for (const Entry& field : fields->entries) {
      for (const char* key : {"path", "url"}) {
        if (const Node* named = field.value.find(key)) paths.push_back(named->text);
      }
    }
  }
  return paths;
}

/// Warns if a part of an evaluated set shares rows with a part of the training set. Only sets with
/// the same files can be compared.
void check_overlap(const RuleView& recipe, const std::string& set, const std::string& part,
                   const std::string& trained) {
  const auto paths = paths_of(recipe, part);
  if (paths.empty() || paths != paths_of(recipe, trained)) return;
  const auto train = range_of(recipe, trained);
  const auto range = range_of(recipe, part);
  if (!train || !range || !is_less(train->begin, range->end) || !is_less(range->begin, train->end))
    return;
  const Node* rows = recipe.find(under(part, "rows"));
  const Node* theirs = recipe.find(under(trained, "rows"));
  const bool has_own = rows && !(theirs && rows->place == theirs->place);
  recipe.warning("rows-overlap", has_own ? rows->place : recipe.key_place(set),
                 fmt::format("{} holds rows that {} is trained on", set, recipe.reference(trained)),
                 "give the sets different rows, or hold_out");
}

/// Returns the path of `windows` of a part whose windows are random, or an empty text.
std::string random_part(const RuleView& recipe, const std::string& set) {
  for (const std::string& part : parts_of(recipe, set)) {
    if (recipe.text(under(part, "windows")) == "random") return under(part, "windows");
  }
  return "";
}

}  // namespace

void rows_are_not_empty(const RuleView& recipe) {
  for (const std::string& set : all_sets(recipe)) {
    const auto range = range_of(recipe, set);
    const Node* rows = recipe.find(under(set, "rows"));
    if (!range || !rows) continue;
    for (const Node& bound : rows->items) {
      Quantity quantity;
      read(bound, quantity);
      if (quantity.unit != Unit::percent || quantity.value <= 100) continue;
      recipe.error("out-of-range", bound.place,
                   fmt::format("{} of the rows is more than all of them", bound.text), "");
    }
    if (!comparable(range->begin, range->end) || is_less(range->begin, range->end)) continue;
    recipe.error("rows-empty", rows->place,
                 fmt::format("{}.rows is empty: it ends where it begins, or before", set),
                 "rows are [begin, end), counted from 0");
  }
}

void sets_do_not_overlap(const RuleView& recipe) {
  for (const std::string set : {"data.validation", "data.test"}) {
    if (!recipe.is_absent(under(set, "hold_out"))) continue;
    for (const std::string& part : parts_of(recipe, set)) {
      for (const std::string& trained : parts_of(recipe, "data.train"))
        check_overlap(recipe, set, part, trained);
    }
  }
}

void hold_out_has_a_source(const RuleView& recipe) {
  for (const char* set : kSets) {
    const std::string path = under(set, "hold_out");
    const Node* hold_out = recipe.find(path);
    if (!hold_out) continue;
    const std::string like = under(set, "like");
    const std::string other = fmt::format("data.{}", recipe.text(like));
    if (recipe.is_absent(like)) {
      recipe.error("needs-other-key", recipe.key_place(path), "'hold_out' needs 'like'",
                   "as in {like: train, hold_out: 10%}");
      continue;
    }
    // A `like` that names no set is reported by expand_like().
    if (!recipe.find(like) || !type_at(recipe_type(), other) || !recipe.find(other)) continue;
    const auto share = recipe.quantity(path);
    if (share && share->unit == Unit::percent && share->value >= 100) {
      recipe.error("out-of-range", hold_out->place,
                   fmt::format("{} leaves nothing in {}", path, other), "");
    }
    for (const std::string& windows : {random_part(recipe, set), random_part(recipe, other)}) {
      if (windows.empty()) continue;
      recipe.error("not-together", recipe.key_place(path),
                   fmt::format("'hold_out' does not go with {}", recipe.reference(windows)),
                   "windows drawn at random overlap: give the sets rows, as in [0%, 90%]");
      break;
    }
    const Node* rows = recipe.written(under(set, "rows"));
    const Node* theirs = recipe.find(other + ".rows");
    if (rows && !(theirs && say_the_same(*theirs, *rows))) {
      recipe.error("not-together", recipe.key_place(under(set, "rows")),
                   fmt::format("'rows' does not go with {}", recipe.reference(path)),
                   fmt::format("the share is drawn from the rows of {}", other));
    }
  }
}

}  // namespace knead::schema
