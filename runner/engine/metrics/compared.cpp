#include "runner/engine/metrics/compared.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/engine/losses/loss.h"
#include "runner/engine/tensor/tensor_words.h"
#include "runner/plan/decide.h"
#include "schema/document/error.h"
#include "schema/document/scalar.h"

namespace knead::engine::metrics {
namespace {

/// Holds the target and the output that a metric sets itself.
struct Named {
  std::optional<std::string> target;
  OutputKey output;
};

/// Reads the target and the output that a metric sets from its options.
struct NamedBy {
  Named operator()(const recipe::ScriptMetric& metric) const { return {"", metric.output}; }
  Named operator()(const auto& metric) const { return {metric.target, metric.output}; }
};

/// Reads ignore_index and class_dim from the options of any loss.
struct RulesOf {
  ClassRules operator()(const recipe::CrossEntropy& loss) const {
    return {loss.ignore_index, losses::class_dim_of(loss.class_dim)};
  }
  ClassRules operator()(const recipe::Nll& loss) const {
    return {loss.ignore_index, losses::class_dim_of(loss.class_dim)};
  }
  ClassRules operator()(const auto&) const { return {}; }  // the others do not have them
};

}  // namespace

Compared::Sides sides_of(const recipe::Metric& metric, const Surroundings& around) {
  const std::string name = plan::metric_names({metric}).front();
  const Named named = std::visit(NamedBy{}, metric);
  const std::string field =
      named.target ? std::string(*named.target) : losses::target_of(around.loss);
  if (field.empty())
    throw Error(
        fmt::format("the metric '{}' has nothing to compare with: loss names no target", name),
        "write target: FIELD in loss or in the metric", Exit::invalid_recipe);
  const auto& fields = around.fields;
  if (std::find(fields.begin(), fields.end(), field) == fields.end())
    throw Error(
        fmt::format("the data has no field '{}', the target of the metric '{}'", field, name),
        fmt::format("its fields are: {}", fmt::join(fields, ", ")), Exit::invalid_recipe);
  return {name, field, named.output ? named.output : around.output};
}

ClassRules rules_of(const recipe::Loss& loss) { return std::visit(RulesOf{}, loss); }

ClassItems class_items(const at::Tensor& output, const at::Tensor& target, const ClassRules& rules,
                       const std::string& asker, const std::string& field) {
  if (!losses::holds_classes(target))
    throw Error(fmt::format("the target '{}' is of {}: {} needs whole numbers for classes", field,
                            dtype_words(target.scalar_type()), asker),
                fmt::format("if '{}' holds classes, write dtype: int64 in its field", field));
  const auto dim = losses::find_class_dim(output, target, rules.dim, asker, field);
  losses::expect_in_range(target, {losses::count_classes(output, dim), "the output"}, rules.ignored,
                          field);
  ClassItems items{losses::scores_of_items(output, dim),
                   target.to(output.device(), at::kLong).reshape(-1)};
  if (!rules.ignored) return items;
  const at::Tensor counts = items.classes.ne(*rules.ignored);
  if (counts.all().item<bool>()) return items;
  const at::Tensor places = counts.nonzero().reshape(-1);
  return {items.scores.index_select(0, places), items.classes.index_select(0, places)};
}

bool are_labels(const at::Tensor& output, const at::Tensor& target) {
  const auto without_column = [](at::IntArrayRef shape) {
    return shape.size() == 2 && shape.back() == 1 ? shape.slice(0, 1) : shape;
  };
  return without_column(output.sizes()) == without_column(target.sizes());
}

LabelItems label_items(const at::Tensor& output, const at::Tensor& target, const std::string& asker,
                       const std::string& field) {
  const at::Tensor wrong = target.ne(0).logical_and_(target.ne(1));
  if (wrong.any().item<bool>())
    throw Error(
        fmt::format("the target '{}' holds {}: {} needs 0 and 1, or a score for each class", field,
                    schema::number_text(target.masked_select(wrong)[0].item<double>()), asker),
        fmt::format("give the model an output for each class, or '{}' 0 and 1", field));
  const std::int64_t labels = output.dim() > 1 ? output.size(-1) : 1;
  return {output.reshape({-1, labels}),
          target.to(output.device()).reshape({-1, labels}).to(at::kBool)};
}

}  // namespace knead::engine::metrics
