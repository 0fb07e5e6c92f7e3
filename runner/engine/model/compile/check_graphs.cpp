#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "runner/engine/model/compile/compiler.h"
#include "runner/engine/model/module/graphs.h"
#include "runner/engine/model/operators/permission.h"

namespace knead::engine::model {
namespace {

/// Returns the type of number that a node converts a Tensor to implicitly; null for other nodes.
const char* number_made(const jit::Node& node) {
  const auto name = node.kind();
  if (name == c10::aten::IntImplicit) return "int";
  if (name == c10::aten::FloatImplicit) return "float";
  if (name == c10::aten::ScalarImplicit) return "number";
  if (name == c10::aten::ComplexImplicit) return "complex";
  return nullptr;
}

/// Returns the name at a place if '=' or an operator with '=' follows it; an empty text otherwise.
std::string assigned_name(const schema::Place& place) {
  if (!place) return "";
  const std::string_view text = place.source->text();
  const std::string_view name = text.substr(place.begin, place.end - place.begin);
  const bool is_name = std::all_of(name.begin(), name.end(), [](unsigned char letter) {
    return std::isalnum(letter) || letter == '_';
  });
  const std::size_t after = std::min(text.find_first_not_of(' ', place.end), text.size() - 1);
  const bool is_assigned =
      text[after] == '=' ? text.substr(after, 2) != "==" : text.substr(after + 1, 1) == "=";
  return is_name && is_assigned ? std::string(name) : "";
}

[[noreturn]] void refuse_number(const Compiler& compiler, const jit::Node& node,
                                const std::string& number) {
  const std::string type = (number == "int" ? "an " : "a ") + number;
  const std::string name = assigned_name(compiler.place(node.sourceRange()));
  if (!name.empty()) {
    compiler.refuse(node.sourceRange(),
                    fmt::format("'{}' is {} before and becomes a Tensor here", name, type),
                    fmt::format("begin with a Tensor: {} = torch.zeros(())", name));
  }
  compiler.refuse(node.sourceRange(), fmt::format("a Tensor stands where {} is expected", type),
                  "write int(x) or float(x) if a number is meant");
}

/// Returns whether a node moves a tensor to a named device or makes one there; the CPU is allowed.
bool chooses_device(const jit::Node& node) {
  static const auto kCuda = c10::Symbol::fromQualString("aten::cuda");
  if (node.kind() == kCuda) return true;
  if (node.kind() == c10::prim::Constant &&
      node.output()->type()->kind() == c10::TypeKind::DeviceObjType) {
    return !jit::toIValue(node.output())->toDevice().is_cpu();
  }
  // The name of a device is judged only if it is a constant, as in torch.device("cuda").
  static const auto kDevice = c10::Symbol::fromQualString("aten::device");
  if (node.kind() != kDevice || node.inputs().empty()) return false;
  const auto name = jit::toIValue(node.input(0));
  return name && name->isString() && !name->toStringRef().starts_with("cpu");
}

/// Sets the place of nodes that LibTorch creates without one: an unpacking gets the place of the
/// unpacked value, a constant the place of its first use.
void give_place(jit::Node& node) {
  if (node.sourceRange().source()) return;
  if (node.kind() == c10::prim::ListUnpack)
    node.setSourceRange(node.input()->node()->sourceRange());
  if (node.kind() == c10::prim::Constant && node.output()->hasUses())
    node.setSourceRange(node.output()->uses().front().user->sourceRange());
}

/// Refuses an operator that a model must not call. All calls pass here: also methods of tensors and
/// texts, which LibTorch's compiler resolves by itself.
void check_operator(const Compiler& compiler, const jit::Node& node) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  const std::string name = node.kind().toUnqualString();
  const OperatorRefusal* refusal =
      schema ? refusal_of(*schema) : refusal_of_primitive(node.kind().toQualString());
  const jit::SourceRange& at = node.sourceRange();
  if (!refusal && !compiler.is_in_layer(at)) refusal = refusal_outside_layers(name);
  if (refusal) compiler.refuse(at, refused_words(name, *refusal), std::string(refusal->remedy));
}

void check(const Compiler& compiler, jit::Block& block) {
  for (jit::Node* node : block.nodes()) {
    give_place(*node);
    for (jit::Block* inner : node->blocks()) check(compiler, *inner);
    if (node->kind() == c10::prim::Constant && compiler.passed(*node->output()) &&
        !node->output()->uses().empty()) {
      compiler.refuse(node->sourceRange(), "what is called here cannot take a function",
                      "only functions and methods of the model's own files can");
    }
    if (const char* number = number_made(*node)) refuse_number(compiler, *node, number);
    if (!chooses_device(*node)) {
      check_operator(compiler, *node);
      continue;
    }
    // A constant may have no place of its own, so its first use is shown.
    const bool is_used = node->kind() == c10::prim::Constant && node->output()->hasUses();
    const jit::Node* shown = is_used ? node->output()->uses().at(0).user : node;
    compiler.refuse(shown->sourceRange(), "a model does not choose its device",
                    "leave it out: the recipe's device decides where model and data are");
  }
}

/// Counts the nodes of functions with those of all that they call, once for each call, because
/// LibTorch writes the callee there when the model runs first.
class Growth {
 public:
  explicit Growth(const Compiler& compiler) : compiler_(compiler) {}

  std::size_t nodes_in(jit::Function& function) {
    const auto found = nodes_.find(&function);
    if (found != nodes_.end()) return found->second;
    const std::size_t nodes = nodes_in(*jit::toGraphFunction(function).graph()->block());
    return nodes_[&function] = nodes;
  }

 private:
  std::size_t nodes_in(jit::Block& block) {
    constexpr std::size_t kMost = 500'000;
    std::size_t nodes = 0;
    for (jit::Node* node : block.nodes()) {
      ++nodes;
      for (jit::Block* inner : node->blocks()) nodes += nodes_in(*inner);
      jit::Function* callee = callee_of(*node);
      if (callee) nodes += nodes_in(*callee);
      if (nodes <= kMost) continue;
      throw EndlessCode("model-refused", compiler_.place(node->sourceRange()),
                        "this model is compiled to too much code",
                        "the code of a function counts for each of its calls");
    }
    return nodes;
  }

  const Compiler& compiler_;
  std::unordered_map<const jit::Function*, std::size_t> nodes_;
};

}  // namespace

void check_graphs(const Compiler& compiler) {
  for (const auto& graph : graphs_of(*compiler.unit())) check(compiler, *graph->block());
  Growth growth(compiler);
  for (jit::Function* function : compiler.unit()->get_functions()) {
    if (function) growth.nodes_in(*function);
  }
}

}  // namespace knead::engine::model
