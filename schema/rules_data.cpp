#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "schema/column_range.h"
#include "schema/read.h"
#include "schema/rule_list.h"
#include "schema/scalar.h"
#include "schema/set_fields.h"
#include "schema/suggest.h"

namespace knead::schema {
namespace {

constexpr const char* kSets[] = {"data.train", "data.validation", "data.test"};

/// The part of a file's rows that a set uses: all of them where nothing is written.
struct Range {
  Quantity begin{0, Unit::rows};
  Quantity end{INFINITY, Unit::rows};
};

std::string under(const char* set, const char* key) { return fmt::format("{}.{}", set, key); }

std::optional<Range> range_of(const RuleView& recipe, const char* set) {
  const std::string path = under(set, "rows");
  const Node* rows = recipe.find(path);
  if (!rows) return recipe.is_absent(path) ? std::optional<Range>(Range{}) : std::nullopt;
  Range range;
  read(rows->items[0], range.begin);
  read(rows->items[1], range.end);
  return range;
}

/// Row 0 and 0% are the same place; other rows and shares cannot be compared without the file.
bool comparable(const Quantity& a, const Quantity& b) {
  return a.unit == b.unit || a.value == 0 || b.value == 0 || std::isinf(a.value) ||
         std::isinf(b.value);
}

bool is_less(const Quantity& a, const Quantity& b) { return comparable(a, b) && a.value < b.value; }

/// One or many, as the set's type has them, those of its fields too; none where they are doubtful.
std::vector<std::string> paths_of(const RuleView& recipe, const char* set) {
  std::vector<std::string> paths;
  if (const Node* path = recipe.find(under(set, "path"))) {
    for (const Node& each : path->items) paths.push_back(each.text);
    if (!path->is_list()) paths.push_back(path->text);
  }
  if (const Node* fields = recipe.find(under(set, "fields"))) {
    for (const Entry& field : fields->entries) {
      if (const Node* path = field.value.find("path")) paths.push_back(path->text);
    }
  }
  return paths;
}

/// How many columns "0:64", 64 or "age" name; nothing where that is known only from the file.
std::optional<std::int64_t> columns_in(const Node& column) {
  const bool is_one =
      column.kind == Node::Kind::integer || column.text.find(':') == std::string::npos;
  if (is_one) return 1;
  const auto range = column_range(column.text);
  return range ? std::optional<std::int64_t>(range->second - range->first) : std::nullopt;
}

void check_columns(const RuleView& recipe, const std::string& path, const Node& field) {
  std::int64_t total = 0;
  for (const Node& column : field.at("columns").items) {
    const auto count = columns_in(column);
    if (count && *count <= 0) {
      return recipe.error("bad-columns", column.place,
                          fmt::format("the range of columns '{}' is empty", column.text),
                          "a range is \"begin:end\"; the end does not belong to it");
    }
    if (!count) {
      return recipe.error("bad-columns", column.place,
                          fmt::format("'{}' is no range of columns", column.text),
                          "a range has two numbers, as in \"0:64\"; a name has no ':'");
    }
    total += *count;
  }
  const Node* shape = field.find("shape");
  if (!shape) return;
  std::int64_t product = 1;
  for (const Node& size : shape->items) {
    if (__builtin_mul_overflow(product, size.integer, &product)) {
      return recipe.error("shape-mismatch", shape->place,
                          fmt::format("the shape of '{}' is too large", path), "");
    }
  }
  if (product == total) return;
  recipe.error(
      "shape-mismatch", shape->place,
      fmt::format("the shape of '{}' holds {} values, its columns {}", path, product, total), "");
}

}  // namespace

void rows_are_not_empty(const RuleView& recipe) {
  for (const char* set : kSets) {
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
  for (const char* set : {"data.validation", "data.test"}) {
    const auto paths = paths_of(recipe, set);
    if (paths.empty() || paths != paths_of(recipe, "data.train")) continue;
    if (!recipe.is_absent(under(set, "hold_out"))) continue;
    const auto train = range_of(recipe, "data.train");
    const auto range = range_of(recipe, set);
    if (!train || !range || !is_less(train->begin, range->end) ||
        !is_less(range->begin, train->end))
      continue;
    const Node* rows = recipe.find(under(set, "rows"));
    const Node* theirs = recipe.find("data.train.rows");
    const bool has_own = rows && !(theirs && rows->place == theirs->place);
    recipe.warning(
        "rows-overlap", has_own ? rows->place : recipe.key_place(set),
        fmt::format("{} holds rows that {} is trained on", set, recipe.reference("data.train")),
        "give the sets different rows, or hold_out");
  }
}

void sets_have_files(const RuleView& recipe) {
  for (const char* set : kSets) {
    const std::string type = recipe.text(under(set, "type"));
    if (type != "csv" && type != "text" && type != "tokens") continue;
    const std::string url = under(set, "url");
    const std::string path = under(set, "path");
    const std::string sha256 = under(set, "sha256");
    if (recipe.find(url) && recipe.find(path)) {
      recipe.error("not-together", recipe.key_place(url),
                   fmt::format("{} has both 'url' and {}", set, recipe.reference(path)),
                   "keep one of them");
    } else if (recipe.is_absent(url) && recipe.is_absent(path) &&
               recipe.is_absent(under(set, "like"))) {  // else the other set lacks it
      recipe.error("missing-key", recipe.key_place(set), fmt::format("{} needs 'path'", set),
                   "for example 'path: data/digits.csv', or 'url' with 'sha256'");
    } else if (recipe.find(url) && recipe.is_absent(sha256)) {
      recipe.error("needs-other-key", recipe.key_place(url), "'url' needs 'sha256'",
                   "what is fetched is only used if it is the right file");
    } else if (recipe.find(sha256) && recipe.is_absent(url)) {
      recipe.error("needs-other-key", recipe.key_place(sha256), "'sha256' needs 'url'",
                   "a file that is here is recognised by its content when a run is resumed");
    }
  }
}

void hold_out_has_a_source(const RuleView& recipe) {
  for (const char* set : kSets) {
    const std::string path = under(set, "hold_out");
    const Node* hold_out = recipe.find(path);
    if (!hold_out) continue;
    const std::string like = under(set, "like");
    if (recipe.is_absent(like)) {
      recipe.error("needs-other-key", recipe.key_place(path), "'hold_out' needs 'like'",
                   "as in {like: train, hold_out: 10%}");
      continue;
    }
    const auto share = recipe.quantity(path);
    if (share && share->unit == Unit::percent && share->value >= 100) {
      recipe.error("out-of-range", hold_out->place,
                   fmt::format("{} leaves nothing in data.{}", path, recipe.text(like)), "");
    }
    const std::string both[] = {under(set, "windows"),
                                fmt::format("data.{}.windows", recipe.text(like))};
    for (const std::string& windows : both) {
      if (recipe.text(windows) != "random") continue;
      recipe.error("not-together", recipe.key_place(path),
                   fmt::format("'hold_out' does not go with {}", recipe.reference(windows)),
                   "windows drawn at random overlap: give the sets rows, as in [0%, 90%]");
      break;
    }
    const Node* rows = recipe.written(under(set, "rows"));
    const Node* theirs = recipe.find(fmt::format("data.{}.rows", recipe.text(like)));
    if (rows && !(theirs && theirs->place == rows->place)) {
      recipe.error("not-together", recipe.key_place(under(set, "rows")),
                   fmt::format("'rows' does not go with {}", recipe.reference(path)),
                   fmt::format("the share is drawn from the rows of data.{}", recipe.text(like)));
    }
  }
}

void columns_fit_fields(const RuleView& recipe) {
  for (const char* set : kSets) {
    const Node* fields = recipe.find(under(set, "fields"));
    if (!fields) continue;
    if (fields->entries.empty()) {
      recipe.error("no-input", recipe.key_place(under(set, "fields")),
                   fmt::format("{} has no field", set), "");
    }
    if (recipe.text(under(set, "type")) != "csv") continue;
    const Node* header = recipe.find(under(set, "header"));
    for (const Entry& field : fields->entries) {
      check_columns(recipe, field.key, field.value);
      if (!header || header->boolean) continue;
      for (const Node& column : field.value.at("columns").items) {
        if (column.kind != Node::Kind::text || column.text.find(':') != std::string::npos) continue;
        recipe.error("needs-other-key", column.place,
                     fmt::format("the column name '{}' needs a header", column.text),
                     fmt::format("{} is false", recipe.reference(under(set, "header"))));
      }
    }
  }
}

void target_is_a_field(const RuleView& recipe) {
  const Node* target = recipe.find("loss.target");
  if (!target) return;
  for (const char* set : kSets) {
    const auto names = field_names(recipe, set);
    if (!names || std::find(names->begin(), names->end(), target->text) != names->end()) continue;
    const std::string_view near = nearest(target->text, *names);
    recipe.error("unknown-field", target->place,
                 fmt::format("'{}' is no field of {}", target->text, set),
                 near.empty() ? fmt::format("its fields are {}", fmt::join(*names, ", "))
                              : fmt::format("did you mean '{}'?", near));
    return;  // the other sets are mostly like this one
  }
}

void target_has_the_right_dtype(const RuleView& recipe) {
  const std::string loss = recipe.text("loss.type");
  const std::string target = recipe.text("loss.target");
  const Node* fields = recipe.find("data.train.fields");
  const Node* field = fields ? fields->find(target) : nullptr;
  if (loss.empty() || !field) return;
  const bool wants_classes = loss == "cross_entropy";
  const Node* written = field->find("dtype");
  const Node* transforms = recipe.find("data.train.transforms");
  const bool is_csv = recipe.text("data.train.type") == "csv";
  if ((!written && !is_csv) || (transforms && !transforms->items.empty()))
    return;  // known with the file only
  const std::string path = "data.train.fields." + target;
  if (!written && !recipe.is_absent(path + ".dtype")) return;  // it may stand elsewhere
  const std::string dtype = written                     ? written->text
                            : field->find("categories") ? "int64"
                                                        : "float32";
  const bool is_floating = dtype == "float32" || dtype == "float64";
  const Node* columns = field->find("columns");
  const bool is_one_value = columns && columns->items.size() == 1 &&
                            columns_in(columns->items[0]).value_or(1) == 1 && !field->find("shape");
  if (wants_classes ? dtype == "int64" || (is_floating && !is_one_value) : is_floating) return;
  recipe.error("field-dtype", written ? written->place : recipe.key_place(path),
               fmt::format("loss {} needs '{}' as {}, it is {}", loss, target,
                           wants_classes ? "class numbers" : "floating-point numbers", dtype),
               wants_classes ? "write dtype: int64" : "write dtype: float32");
}

void data_has_tokens(const RuleView& recipe) {
  static constexpr const char* kLengths[] = {
      "train.until",        "schedule.warmup",    "schedule.over",
      "evaluate.every",     "track.every",        "checkpoint.keep.every",
      "checkpoint.every.0", "checkpoint.every.1", "checkpoint.every.2"};
  const std::string type = recipe.text("data.train.type");
  if (type.empty() || type == "text" || type == "tokens") return;
  for (const char* path : kLengths) {
    const auto length = recipe.quantity(path);
    if (!length || length->unit != Unit::tokens) continue;
    recipe.error("wrong-unit", recipe.find(path)->place,
                 fmt::format("{} counts tokens, data.train ({}) has none", path, type),
                 "count samples instead");
  }
}

}  // namespace knead::schema
