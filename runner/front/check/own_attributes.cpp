#include "runner/front/check/own_attributes.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "runner/syntax/classes.h"
#include "runner/syntax/walk.h"

namespace knead::front {
namespace {

using syntax::Expression;
using syntax::Names;
using syntax::Statement;

// Public attributes of nn.Module. Names that begin with an underscore are never checked.
constexpr const char* kOfModule =
    "T_destination add_module apply bfloat16 buffers call_super_init children compile cpu cuda "
    "double dump_patches eval extra_repr float forward get_buffer get_extra_state get_parameter "
    "get_submodule half ipu load_state_dict modules mtia named_buffers named_children "
    "named_modules named_parameters parameters register_backward_hook register_buffer "
    "register_forward_hook register_forward_pre_hook register_full_backward_hook "
    "register_full_backward_pre_hook register_load_state_dict_post_hook "
    "register_load_state_dict_pre_hook register_module register_parameter "
    "register_state_dict_post_hook register_state_dict_pre_hook requires_grad_ set_extra_state "
    "set_submodule share_memory state_dict to to_empty train training type xpu zero_grad";

Names names_of_module() {
  Names names;
  std::istringstream text(kOfModule);
  for (std::string one; text >> one;) names.insert(one);
  return names;
}

bool registers(std::string_view method) {
  static constexpr std::array<std::string_view, 5> kMethods{
      "register_buffer", "register_parameter", "register_module", "add_module", "__setattr__"};
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

/// Adds the attributes that a method registers on its object; `self` is the name of its first
/// parameter.
struct RegisteredAttributes {
  OwnAttributes& attributes;
  const std::string& self;

  void operator()(const Statement& one) { syntax::for_each_child(one, *this); }
  void operator()(const Expression& one) {
    if (const auto* of = std::get_if<syntax::Attribute>(&one.kind)) {
      if (of->name == "__dict__") attributes.is_complete = false;
      if (!is_self(*of->value)) syntax::for_each_child(one, *this);
      return;
    }
    if (const auto* call = std::get_if<syntax::Call>(&one.kind)) {
      if (syntax::dotted_name(*call->callee) == "super") return;
      add_registered(*call);
    }
    // A function that receives the object may give it any attribute.
    if (is_self(one)) attributes.is_complete = false;
    syntax::for_each_child(one, *this);
  }

 private:
  bool is_self(const Expression& one) const {
    const auto* name = std::get_if<syntax::Name>(&one.kind);
    return name && name->id == self;
  }

  void add_registered(const syntax::Call& call) {
    const auto* method = std::get_if<syntax::Attribute>(&call.callee->kind);
    if (!method || !is_self(*method->value) || !registers(method->name)) return;
    const auto* name =
        call.arguments.empty() ? nullptr : std::get_if<syntax::String>(&call.arguments[0].kind);
    if (name) attributes.names.insert(name->value);
    if (!name) attributes.is_complete = false;
  }
};

void add_targets(const Expression& target, Names& names) {
  if (const auto* of = std::get_if<syntax::Attribute>(&target.kind)) names.insert(of->name);
  if (const auto* star = std::get_if<syntax::Starred>(&target.kind)) {
    add_targets(*star->value, names);
  }
  if (const auto* tuple = std::get_if<syntax::Tuple>(&target.kind)) {
    for (const Expression& item : tuple->items) add_targets(item, names);
  }
}

/// Collects each attribute that a file assigns, of any object.
struct Assigned {
  Names& names;

  void operator()(const Expression&) {}
  void operator()(const Statement& one) {
    if (const auto* assign = std::get_if<syntax::Assign>(&one.kind)) {
      for (const Expression& target : assign->targets) add_targets(target, names);
    } else if (const auto* annotated = std::get_if<syntax::AnnotatedAssign>(&one.kind)) {
      add_targets(annotated->target, names);
    } else if (const auto* loop = std::get_if<syntax::For>(&one.kind)) {
      add_targets(loop->target, names);
    }
    syntax::for_each_child(one, *this);
  }
};

bool changes_look_up(const Names& members) {
  return members.contains("__getattr__") || members.contains("__getattribute__");
}

void add(const ModelFiles& files, const FoundClass& found, OwnAttributes& all, int depth) {
  const syntax::Class& one = *found.definition;
  const Names members = syntax::bound_names(one.body);
  all.names.insert(members.begin(), members.end());
  const bool is_plain = one.decorators.empty() && one.keywords.empty() && !one.bases.empty();
  if (!is_plain || changes_look_up(members) || depth > kMostAncestors) all.is_complete = false;
  for (const Statement& statement : one.body) {
    const auto* function = std::get_if<syntax::Function>(&statement.kind);
    if (!function || function->parameters.empty()) continue;
    RegisteredAttributes registered{all, function->parameters[0].name};
    for (const Statement& inner : function->body) registered(inner);
  }
  // Any object of the file counts, because a helper may assign an attribute of the model.
  Assigned assigned{all.names};
  for (const Statement& statement : found.file->body) assigned(statement);
  for (const Expression& base : one.bases) {
    const std::string name = syntax::dotted_name(base);
    if (is_module_itself(name)) continue;
    const Meaning meaning = files.meaning(*found.file, name);
    const bool is_known = meaning.kind == Meaning::Kind::a_class && all.is_complete;
    if (!is_known) all.is_complete = false;
    if (is_known) add(files, meaning.found, all, depth + 1);
  }
}

}  // namespace

bool is_module_itself(std::string_view dotted) {
  return dotted == "nn.Module" || dotted == "torch.nn.Module" || dotted == "Module";
}

const syntax::Function* method_of(const syntax::Class& one, std::string_view name) {
  const syntax::Function* last = nullptr;
  for (const Statement& statement : one.body) {
    const auto* function = std::get_if<syntax::Function>(&statement.kind);
    if (function && function->name == name) last = function;
  }
  return last;
}

OwnAttributes attributes_of(const ModelFiles& files, const FoundClass& found) {
  static const Names of_module = names_of_module();
  OwnAttributes all{of_module, true};
  add(files, found, all, 0);
  return all;
}

}  // namespace knead::front
