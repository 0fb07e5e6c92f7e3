#include "runner/weights/state_dict.h"

#include <algorithm>

#include "runner/weights/torch_tensor.h"

namespace knead::weights {
namespace {

constexpr int kDeepest = 4;          // levels of nested dicts
constexpr std::size_t kMost = 1000;  // dicts visited; one dict may occur in others many times

/// Returns the entries of a dict or an OrderedDict; null for other values.
const PickledPairs* entries_of(const PickledValue& value) {
  if (const auto* dict = std::get_if<PickledDict>(&value.kind)) return &dict->entries;
  const auto* object = std::get_if<PickledObject>(&value.kind);
  return object && object->type == kOrderedDict ? &object->entries : nullptr;
}

/// Visits dicts within dicts and collects those that hold tensors.
class Search {
 public:
  explicit Search(files::Budget& budget) : budget_(budget) {}

  std::vector<StateDict> run(const PickledValue& root) {
    visit(root, "", 0);
    // Some programs save a step counter as a tensor in a dict of its own.
    if (!std::all_of(found_.begin(), found_.end(), has_only_single_numbers))
      std::erase_if(found_, has_only_single_numbers);
    return std::move(found_);
  }

 private:
  static bool has_only_single_numbers(const StateDict& dict) {
    return std::all_of(dict.tensors.begin(), dict.tensors.end(),
                       [](const auto& tensor) { return is_single(*tensor.second); });
  }

  void visit(const PickledValue& value, const std::string& key, int depth) {
    const PickledPairs* entries = entries_of(value);
    if (!entries || ++visited_ > kMost) return;
    budget_.work(3 * entries->size());
    if (is_optimizer(*entries)) return;
    budget_.hold(key.size());
    StateDict dict{key, {}};
    for (const auto& [name, item] : *entries) {
      const auto* text = std::get_if<std::string>(&name->kind);
      if (!text || !is_pickled_tensor(*item)) continue;
      budget_.hold(2 * sizeof dict.tensors[0]);
      dict.tensors.emplace_back(*text, item);
    }
    if (!dict.tensors.empty()) found_.push_back(std::move(dict));
    if (depth == kDeepest) return;
    for (const auto& [name, item] : *entries) {
      const auto* text = std::get_if<std::string>(&name->kind);
      if (text) visit(*item, key.empty() ? *text : key + "." + *text, depth + 1);
    }
  }

  /// Returns whether entries are those of the state_dict() of a torch.optim optimizer.
  static bool is_optimizer(const PickledPairs& entries) {
    return std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
      const auto* text = std::get_if<std::string>(&entry.first->kind);
      return text && *text == "param_groups";
    });
  }

  files::Budget& budget_;
  std::vector<StateDict> found_;
  std::size_t visited_ = 0;
};

}  // namespace

std::vector<StateDict> find_state_dicts(const PickledValue& root, files::Budget& budget) {
  return Search(budget).run(root);
}

}  // namespace knead::weights
