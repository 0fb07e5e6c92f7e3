#include <fmt/format.h>

#include "runner/engine/model/compile/compiler.h"
#include "runner/syntax/parse.h"

namespace knead::engine::model {
namespace {

/// The forward of nn.Sequential as source. The evaluator implements it in C++, but a TorchScript
/// method needs source.
constexpr const char* kSequential = R"(def forward(self, input):
    for module in self:
        input = module(input)
    return input
)";

/// The function sum() of a list of Tensors. It begins with `0 +` as in Python, so the result is
/// always a new Tensor.
constexpr const char* kSum = R"(
def sum(items: List[Tensor]) -> Tensor:
    total = 0 + items[0]
    for i in range(1, len(items)):
        total = total + items[i]
    return total
)";

/// np.prod() of the sizes of a Tensor.
constexpr const char* kProduct = R"(
def prod(items: List[int]) -> int:
    total = 1
    for item in items:
        total = total * item
    return total
)";

/// The limits of torch.finfo for a dtype that is known only when the model runs. The numbers are
/// those of c10::ScalarType: 5 Half, 6 Float, 7 Double, 15 BFloat16.
constexpr const char* kLimits = R"(
def finfo_max(dtype: int) -> float:
    if dtype == 5:
        return 65504.0
    if dtype == 6:
        return 3.4028234663852886e+38
    if dtype == 7:
        return 1.7976931348623157e+308
    if dtype == 15:
        return 3.3895313892515355e+38
    raise TypeError("torch.finfo() takes a dtype of floating-point numbers")

def finfo_min(dtype: int) -> float:
    return -finfo_max(dtype)

def finfo_eps(dtype: int) -> float:
    if dtype == 5:
        return 0.0009765625
    if dtype == 6:
        return 1.1920928955078125e-07
    if dtype == 7:
        return 2.220446049250313e-16
    if dtype == 15:
        return 0.0078125
    raise TypeError("torch.finfo() takes a dtype of floating-point numbers")
)";

/// The methods of a context manager that sets the gradient mode and restores it on exit.
constexpr const char* kGradientSwitch = R"(
def __init__(self, mode: bool):
    self.mode = mode
    self.before = mode

def __enter__(self):
    self.before = torch.is_grad_enabled()
    torch.set_grad_enabled(self.mode)

def __exit__(self, type: Any, value: Any, traceback: Any):
    torch.set_grad_enabled(self.before)
)";

/// Adds the exceptions that functions of this program raise to the names of LibTorch.
struct OwnNames : jit::NativeResolver {
  jit::SugaredValuePtr resolveValue(const std::string& name, jit::GraphFunction& function,
                                    const jit::SourceRange& at) override {
    if (name.ends_with("Error")) return std::make_shared<jit::ExceptionValue>(name);
    return NativeResolver::resolveValue(name, function, at);
  }
};

/// Resolves the type name Item of kFlat to the item type of one specialisation.
struct ItemNames : jit::NativeResolver {
  explicit ItemNames(c10::TypePtr item) : item_(std::move(item)) {}
  c10::TypePtr resolveType(const std::string& name, const jit::SourceRange& at) override {
    return name == "Item" ? item_ : NativeResolver::resolveType(name, at);
  }

 private:
  c10::TypePtr item_;
};

/// The function that concatenates a list of lists; compiled once for each item type.
constexpr const char* kFlat = R"(
def flat(lists: List[List[Item]]) -> List[Item]:
    items: List[Item] = []
    for part in lists:
        items.extend(part)
    return items
)";

/// Gives all nodes of a block one place.
void place_nodes(jit::Block& block, const jit::SourceRange& at) {
  for (jit::Node* node : block.nodes()) {
    node->setSourceRange(at);
    for (jit::Block* inner : node->blocks()) place_nodes(*inner, at);
  }
}

}  // namespace

jit::Function* Compiler::flat_function(const c10::TypePtr& item) {
  jit::Function*& function = flat_functions_[item->repr_str()];
  if (function) return function;
  const c10::QualifiedName prefix(fmt::format("__torch__.knead.flat_{}", flat_functions_.size()));
  unit_->define(prefix, kFlat, std::make_shared<ItemNames>(item), nullptr);
  function = unit_->find_function(c10::QualifiedName(prefix, "flat"));
  return function;
}

jit::Function* Compiler::function_of_text(const std::string& name, const std::string& text,
                                          const jit::SourceRange& at) {
  const c10::QualifiedName prefix(fmt::format("__torch__.knead.{}_{}", name, ++text_functions_));
  unit_->define(prefix, text, std::make_shared<OwnNames>(), nullptr);
  jit::Function* function = unit_->find_function(c10::QualifiedName(prefix, "transform"));
  place_nodes(*jit::toGraphFunction(*function).graph()->block(), at);
  return function;
}

c10::ClassTypePtr Compiler::gradient_switch() {
  const c10::QualifiedName name("__torch__.knead.set_grad_enabled");
  // The class belongs to the unit, which is saved with the model, so an archive needs no class of
  // this program.
  if (auto found = unit_->get_class(name)) return found;
  auto type = c10::ClassType::create(name, unit_, /*is_module=*/false);
  type->addAttribute("mode", c10::BoolType::get());
  type->addAttribute("before", c10::BoolType::get());
  unit_->register_type(type);
  const jit::SimpleSelf self(type);
  unit_->define(name, kGradientSwitch, jit::nativeResolver(), &self);
  return type;
}

jit::Function* Compiler::own_function(const std::string& name) {
  const c10::QualifiedName prefix("__torch__.knead");
  if (auto* found = unit_->find_function(c10::QualifiedName(prefix, name))) return found;
  const char* source = name == "sum" ? kSum : name == "prod" ? kProduct : kLimits;
  unit_->define(prefix, source, std::make_shared<OwnNames>(), nullptr);
  return unit_->find_function(c10::QualifiedName(prefix, name));
}

std::shared_ptr<Function> Compiler::forward_of(const Object& object) {
  const Value* member = object.type->find("forward");
  if (const auto* function = member ? as<Function>(*member) : nullptr) return *function;
  if (object.type->container != Class::Container::sequential) return nullptr;
  if (sequential_) return sequential_;
  auto file = std::make_unique<FileValues>();
  file->module = "torch.nn";
  file->file = syntax::parse(std::make_shared<schema::Source>("nn.Sequential", "", kSequential));
  file->globals = std::make_shared<Scope>();
  sequential_ = std::make_shared<Function>();
  sequential_->name = "forward";
  sequential_->file = file.get();
  sequential_->definition = &std::get<syntax::Function>(file->file->body.at(0).kind);
  sequential_->owner = object.type;
  program_.files.push_back(std::move(file));
  return sequential_;
}

}  // namespace knead::engine::model
