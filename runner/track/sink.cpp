#include "runner/track/sink.h"

#include "runner/plan/decide.h"

namespace knead::track {
namespace {

using Hyperparameters = std::vector<Hyperparameter>;

/// Adds the scalars below a node with their paths, without secrets.
void add_leaves(const std::string& path, const schema::Node& node, Hyperparameters& out) {
  using Kind = schema::Node::Kind;
  for (const schema::Entry& entry : node.entries)
    add_leaves(path + "." + entry.key, entry.value, out);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    // Items of a list are numbered as in an override: optimizer.groups.0.lr.
    add_leaves(path + "." + std::to_string(i), node.items[i], out);
  if (node.secret) return;
  if (node.kind == Kind::boolean) out.emplace_back(path, node.boolean);
  if (node.kind == Kind::integer || node.kind == Kind::number) out.emplace_back(path, node.number);
  if (node.kind == Kind::text) out.emplace_back(path, node.text);
}

}  // namespace

std::uint64_t end_of(const std::string& file, const Positions& positions) {
  const auto found = positions.find(file);
  return found == positions.end() ? 0 : found->second;
}

std::vector<std::string> evaluated_metrics(const recipe::Recipe& recipe) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& set) {
    names.push_back(set + "/loss");
    for (const std::string& name : plan::metric_names(recipe.evaluate.metrics))
      names.push_back(set + "/" + name);
  };
  if (recipe.data.validation) add("validation");
  if (recipe.data.test) add("test");
  return names;
}

Hyperparameters hyperparameters(const schema::Node& recipe) {
  constexpr const char* kBlocks[] = {"seed", "model.args", "batch",   "optimizer", "schedule",
                                     "clip", "precision",  "average", "loss"};
  Hyperparameters out;
  for (const char* path : kBlocks) {
    if (const schema::Node* node = schema::find_path(recipe, path)) add_leaves(path, *node, out);
  }
  // The source of a scripted loss is not a value by which runs are compared.
  std::erase_if(out, [](const auto& each) { return each.first.ends_with(".code"); });
  return out;
}

std::string About::sweep() const {
  const std::filesystem::path above = folder.parent_path();
  return above.filename() == "sweep" ? above.parent_path().filename().string() : "";
}

bool needs_network(const recipe::Sink& kind) {
  return std::holds_alternative<recipe::MlflowSink>(kind);
}

}  // namespace knead::track
