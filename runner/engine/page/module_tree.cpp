#include "runner/engine/page/module_tree.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/tensor/tensor_words.h"
#include "runner/track/short_text.h"
#include "schema/document/source.h"

namespace knead::engine {
namespace {

/// Returns whether a dotted name lies below a module's path; the root has an empty path.
bool is_below(const std::string& name, const std::string& path) {
  return path.empty() || (name.starts_with(path) && name.substr(path.size()).starts_with('.'));
}

/// Returns the part of a name behind the module's path and a dot. It has no dot if the module
/// itself holds the parameter.
std::string rest_of(const std::string& name, const std::string& path) {
  return path.empty() ? name : name.substr(path.size() + 1);
}

/// Counts the parameters of a module and those below it, and lists its own ones and its aliases.
void add_parameters(const model::Model& model, ModuleNode& node) {
  const std::string& path = node.facts.path;
  const auto holds = [&](const std::string& name) {
    return is_below(name, path) && rest_of(name, path).find('.') == std::string::npos;
  };
  for (const NamedTensor& each : model.parameters()) {
    if (!is_below(each.name, path)) continue;
    node.parameters += each.tensor.numel();
    if (each.tensor.requires_grad()) node.trained += each.tensor.numel();
    if (holds(each.name))
      node.own.push_back(
          {rest_of(each.name, path), shape_words(each.tensor.sizes()), each.tensor.numel(), ""});
  }
  for (const model::Alias& alias : model.aliases()) {
    if (holds(alias.name)) node.own.push_back({rest_of(alias.name, path), "", 0, alias.of});
  }
}

/// Builds the node of `facts[at]` with all modules below it, which follow it, and moves `at` behind
/// them.
ModuleNode node_at(const model::Model& model, const std::vector<model::ModuleFacts>& facts,
                   const std::vector<ModuleUse>& uses, std::size_t& at) {
  ModuleNode node;
  node.facts = facts[at];
  node.use = uses[at];
  const std::string& path = node.facts.path;
  node.name = path.substr(path.rfind('.') + 1);
  if (node.facts.same_as.empty()) add_parameters(model, node);
  ++at;
  // Pre-order lists the modules below a module directly behind it.
  while (at < facts.size() && is_below(facts[at].path, path))
    node.children.push_back(node_at(model, facts, uses, at));
  return node;
}

// --- as text

struct Line {
  std::string label;
  std::string output;
  std::string parameters;
  std::string work;
  std::string note;
};

std::string kind_text(const model::ModuleKind& kind) {
  return kind.words.empty() ? kind.type : fmt::format("{}({})", kind.type, kind.words);
}

/// Returns all that the page shows of a module except its name. Modules with equal texts share one
/// line.
std::string likeness(const ModuleNode& node) {
  std::string text =
      fmt::format("{};{};{};{};{};{};{}", kind_text(node.facts.kind), node.facts.same_as,
                  node.use.output, node.use.calls, node.parameters, node.trained, node.use.work);
  for (const OwnParameter& own : node.own) text += ";" + own.name + own.shape + own.same_as;
  for (const ModuleNode& child : node.children)
    text += fmt::format("({}{})", child.name, likeness(child));
  return text;
}

constexpr std::size_t kDeepest = 15;  // levels of modules that the page shows
constexpr const char* kNotShown = "what is in it is not shown";

/// Builds the table of modules line by line.
class TreeText {
 public:
  explicit TreeText(std::uint64_t samples) : samples_(samples) {}

  void add(const ModuleNode& node, const std::string& name, std::size_t count, std::size_t depth) {
    Line line;
    line.label = std::string(2 * depth, ' ') + name + (name.empty() ? "" : "  ");
    if (count > 1) line.label += fmt::format("{} × ", count);
    line.label += kind_text(node.facts.kind);
    line.output = node.use.output;
    if (node.parameters > 0)
      line.parameters = track::grouped(static_cast<std::uint64_t>(node.parameters));
    if (node.use.work > 0)
      line.work = track::short_count(node.use.work / static_cast<double>(samples_));
    line.note = note_on(node, count);
    const bool is_deepest = depth >= kDeepest && !node.children.empty();
    if (is_deepest) line.note += line.note.empty() ? kNotShown : std::string(", ") + kNotShown;
    lines_.push_back(std::move(line));
    if (is_deepest) return;
    // The parameters of a leaf follow from its class and settings, "Linear(64, 32)". They are
    // listed only where this is not enough: beside submodules, or if one of them is tied.
    if (!node.children.empty() || has_aliases(node)) add_own(node, depth + 1);
    add_children(node, depth + 1);
  }

  std::string text() const {
    std::size_t label = 7;
    std::size_t output = 6;
    for (const Line& line : lines_) {
      label = std::max(label, columns(line.label));
      output = std::max(output, columns(line.output));
    }
    // One long name must not push the numbers of all lines out of 100 columns: its own line is
    // longer instead.
    label = std::min<std::size_t>(label, 56);
    output = std::min<std::size_t>(output, 24);
    std::string text;
    for (const Line& line : lines_) text += row(line, label, output);
    return row({"modules", "output", "parameters", "FLOPs", ""}, label, output) + text;
  }

 private:
  static std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(schema::code_points(text));
  }

  static bool has_aliases(const ModuleNode& node) {
    return std::any_of(node.own.begin(), node.own.end(),
                       [](const OwnParameter& own) { return !own.same_as.empty(); });
  }

  static std::string note_on(const ModuleNode& node, std::size_t count) {
    if (!node.facts.same_as.empty()) return "is " + node.facts.same_as;
    std::string note = count > 1 ? "each" : "";
    const auto add = [&](const std::string& words) { note += (note.empty() ? "" : ", ") + words; };
    if (node.trained < node.parameters) add(node.trained == 0 ? "frozen" : "partly frozen");
    if (node.use.calls > 1) add(fmt::format("{} calls", node.use.calls));
    return note;
  }

  void add_own(const ModuleNode& node, std::size_t depth) {
    for (const OwnParameter& own : node.own) {
      const std::string label = std::string(2 * depth, ' ') + own.name;
      if (own.same_as.empty()) {
        const auto numbers = track::grouped(static_cast<std::uint64_t>(own.numbers));
        lines_.push_back({label + "  " + own.shape, "", numbers, "", ""});
      } else {
        lines_.push_back({label + "  is " + own.same_as, "", "", "", ""});
      }
    }
  }

  static bool is_numbered(const ModuleNode& node) {
    return node.name.find_first_not_of("0123456789") == std::string::npos;
  }

  /// Adds the children of a node. Equal consecutive items of a list become one line: from two on if
  /// they have submodules, else from three on.
  void add_children(const ModuleNode& node, std::size_t depth) {
    for (std::size_t first = 0; first < node.children.size();) {
      const ModuleNode& child = node.children[first];
      std::size_t end = first + 1;
      const std::string like = likeness(child);
      while (is_numbered(child) && end < node.children.size() &&
             likeness(node.children[end]) == like) {
        ++end;
      }
      const std::size_t least = child.children.empty() ? 3 : 2;
      if (end - first < least) {
        add(child, child.name, 1, depth);
        ++first;
        continue;
      }
      add(child, child.name + " … " + node.children[end - 1].name, end - first, depth);
      first = end;
    }
  }

  static std::string row(const Line& line, std::size_t label, std::size_t output) {
    const auto padded = [](const std::string& text, std::size_t width) {
      return text + std::string(width - std::min(width, columns(text)), ' ');
    };
    std::string text =
        fmt::format("  {}  {}  {:>13}  {:>7}  {}", padded(line.label, label),
                    padded(line.output, output), line.parameters, line.work, line.note);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

  std::uint64_t samples_;
  std::vector<Line> lines_;
};

}  // namespace

ModuleNode module_tree(const model::Model& model, const std::vector<ModuleUse>& uses) {
  std::size_t at = 0;
  return node_at(model, model.modules(), uses, at);
}

std::string tree_text(const ModuleNode& root, std::uint64_t samples) {
  TreeText text(samples);
  text.add(root, "", 1, 0);
  return text.text();
}

}  // namespace knead::engine
