#include <algorithm>

#include <fmt/format.h>

#include "schema/document/suggest.h"
#include "schema/rules/rule_list.h"
#include "schema/rules/set_fields.h"
#include "schema/table/column_range.h"

namespace knead::schema {
namespace {

/// Returns the number of columns that "0:64", 64 or "age" names, or std::nullopt if a range is
/// invalid.
std::optional<std::int64_t> columns_in(const Node& column) {
  const bool is_one =
      column.kind == Node::Kind::integer || column.text.find(':') == std::string::npos;
  if (is_one) return 1;
  const auto range = column_range(column.text);
  return range ? std::optional<std::int64_t>(range->second - range->first) : std::nullopt;
}

/// Requires valid ranges whose number of columns fits the shape.
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

bool is_transformed(const RuleView& recipe, const std::string& set) {
  const Node* transforms = recipe.find(under(set, "transforms"));
  return transforms && !transforms->items.empty();
}

/// Reports a name that is not a field of one of the sets.
void expect_field(const RuleView& recipe, const Node& name) {
  for (const char* set : kSets) {
    const auto names = field_names(recipe, set);
    if (!names || std::find(names->begin(), names->end(), name.text) != names->end()) continue;
    recipe.error(
        "unknown-field", name.place, fmt::format("'{}' is no field of {}", name.text, set),
        did_you_mean(name.text, *names, fmt::format("its fields are {}", fmt::join(*names, ", "))));
    return;  // the other sets are mostly like this one
  }
}

}  // namespace

void columns_fit_fields(const RuleView& recipe) {
  for (const std::string& set : all_sets(recipe)) {
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

void targets_are_fields(const RuleView& recipe) {
  std::vector<std::string> paths{"loss.target", "loss.input_lengths", "loss.target_lengths"};
  const Node* metrics = recipe.find("evaluate.metrics");
  for (std::size_t i = 0; metrics && i < metrics->items.size(); ++i)
    paths.push_back(fmt::format("evaluate.metrics.{}.target", i));
  for (const std::string& path : paths) {
    if (const Node* field = recipe.find(path)) expect_field(recipe, *field);
  }
}

void target_has_the_right_dtype(const RuleView& recipe) {
  const std::string loss = recipe.text("loss.type");
  const std::string target = recipe.text("loss.target");
  const std::string set = samples_like(recipe, "data.train");
  const Node* fields = recipe.find(under(set, "fields"));
  const Node* field = fields ? fields->find(target) : nullptr;
  if (loss.empty() || !field) return;
  const bool wants_classes = is_one_of(loss, {"cross_entropy", "nll", "ctc"});
  const bool wants_numbers = is_one_of(loss, {"mse", "l1", "smooth_l1", "huber", "kl_div"});
  if (!wants_classes && !wants_numbers) return;
  const Node* written = field->find("dtype");
  const bool is_csv = recipe.text(under(set, "type")) == "csv";
  // A transform may change the dtype, and the other types of sets take it from their files.
  if ((!written && !is_csv) || is_transformed(recipe, set) || is_transformed(recipe, "data.train"))
    return;  // known with the file only
  const std::string path = set + ".fields." + target;
  if (!written && !recipe.is_absent(path + ".dtype")) return;  // it may stand elsewhere
  const std::string dtype = written                     ? written->text
                            : field->find("categories") ? "int64"
                                                        : "float32";
  const bool is_floating = dtype == "float32" || dtype == "float64";
  const Node* columns = field->find("columns");
  const bool is_one_value = columns && columns->items.size() == 1 &&
                            columns_in(columns->items[0]).value_or(1) == 1 && !field->find("shape");
  // torch's cross_entropy also takes a probability for each class, as several numbers per sample.
  const bool are_shares = loss == "cross_entropy" && is_floating && !is_one_value;
  if (wants_classes ? dtype == "int64" || are_shares : is_floating) return;
  recipe.error("field-dtype", written ? written->place : recipe.key_place(path),
               fmt::format("loss {} needs '{}' as {}, it is {}", loss, target,
                           wants_classes ? "class numbers" : "floating-point numbers", dtype),
               wants_classes ? "write dtype: int64" : "write dtype: float32");
}

void data_has_tokens(const RuleView& recipe) {
  const std::string type = recipe.text(under(samples_like(recipe, "data.train"), "type"));
  if (type.empty() || type == "mix" || type == "text" || type == "tokens") return;
  for (const auto& [path, quantity, place] : recipe.written_quantities()) {
    if (quantity.unit != Unit::tokens) continue;
    recipe.error("wrong-unit", place,
                 fmt::format("{} counts tokens, data.train ({}) has none", path, type),
                 "count samples instead");
  }
}

}  // namespace knead::schema
