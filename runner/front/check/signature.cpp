#include "runner/front/check/signature.h"

#include <algorithm>
#include <utility>

#include "runner/syntax/classes.h"

namespace knead::front {
namespace {

using syntax::Class;
using syntax::Expression;
using syntax::Function;
using syntax::Statement;

bool is_none(const syntax::ExpressionPtr& value) {
  const auto* constant = value ? std::get_if<syntax::Constant>(&value->kind) : nullptr;
  return constant && *constant == syntax::Constant::none;
}

/// Refers to the statement of a class that binds a name.
struct Member {
  const Statement* statement = nullptr;  // null if there is none
  bool is_certain = true;                // false if there are several
};

Member member_of(const Class& one, std::string_view name) {
  Member member;
  for (const Statement& statement : one.body) {
    if (!syntax::binds(statement, name)) continue;
    if (member.statement) member.is_certain = false;
    member.statement = &statement;
  }
  return member;
}

std::optional<Signature> of_function(const Function& function, const syntax::File& file) {
  if (!function.decorators.empty()) return std::nullopt;
  Signature signature;
  using Kind = syntax::Parameter::Kind;
  bool is_self = true;
  for (const syntax::Parameter& one : function.parameters) {
    const bool is_positional = one.kind == Kind::ordinary || one.kind == Kind::positional_only;
    if (std::exchange(is_self, false) && is_positional) continue;
    if (one.kind == Kind::keywords) signature.takes_others = true;
    if (one.kind == Kind::positional_only) return std::nullopt;  // cannot be given by name
    if (one.kind == Kind::keywords || one.kind == Kind::rest) continue;
    signature.arguments.push_back(
        {one.name, &file, one.range, !one.fallback, is_none(one.fallback), one.annotation.get()});
  }
  return signature;
}

/// Returns whether the __init__ or the fields of a class show its arguments.
bool is_plain(const Class& one) {
  const Expression* dataclass = syntax::dataclass_decorator(one);
  if (!one.keywords.empty() || one.decorators.size() > (dataclass ? 1U : 0U)) return false;
  if (member_of(one, "__new__").statement) return false;
  const auto* call = dataclass ? std::get_if<syntax::Call>(&dataclass->kind) : nullptr;
  return !call || std::none_of(call->keywords.begin(), call->keywords.end(),
                               [](const syntax::Keyword& keyword) {
                                 return keyword.name == "init" || keyword.name.empty();
                               });
}

std::string last_part(const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); }

std::string type_name(const Expression& annotation) {
  const auto* subscript = std::get_if<syntax::Subscript>(&annotation.kind);
  return last_part(syntax::dotted_name(subscript ? *subscript->value : annotation));
}

/// Returns a field of a dataclass as an argument; std::nullopt if the arguments of `field()` do not
/// show its default. Sets `is_argument` to false for a field with init=False.
std::optional<Argument> field_argument(const syntax::AnnotatedAssign& field,
                                       const std::string& name, const syntax::File& file,
                                       bool& is_argument) {
  Argument argument{
      name, &file, field.target.range, !field.value, is_none(field.value), &field.annotation};
  const auto* call = field.value ? std::get_if<syntax::Call>(&field.value->kind) : nullptr;
  if (!call || last_part(syntax::dotted_name(*call->callee)) != "field") return argument;
  argument.is_required = true;
  for (const syntax::Keyword& keyword : call->keywords) {
    if (keyword.name.empty()) return std::nullopt;
    if (keyword.name == "init") {
      const auto* value = std::get_if<syntax::Constant>(&keyword.value->kind);
      if (!value) return std::nullopt;
      is_argument = *value == syntax::Constant::true_;
    }
    const bool has_default = keyword.name == "default" || keyword.name == "default_factory";
    if (has_default) argument.is_required = false;
    if (keyword.name == "default") argument.may_be_none = is_none(keyword.value);
  }
  return argument;
}

/// Adds the fields that a class itself declares, which replace those of its bases. Returns false if
/// a field is not certain.
bool add_fields(const FoundClass& found, Signature& signature) {
  for (const Statement& statement : found.definition->body) {
    const auto* field = std::get_if<syntax::AnnotatedAssign>(&statement.kind);
    const auto* name = field ? std::get_if<syntax::Name>(&field->target.kind) : nullptr;
    if (!name) continue;
    const std::string type = type_name(field->annotation);
    // Python's dataclasses take these annotations for class variables and for a marker, not for
    // fields.
    if (type == "ClassVar" || type == "KW_ONLY") continue;
    bool is_argument = true;
    const auto argument = field_argument(*field, name->id, *found.file, is_argument);
    if (!argument || std::holds_alternative<syntax::String>(field->annotation.kind)) return false;
    std::erase_if(signature.arguments, [&](const Argument& one) { return one.name == name->id; });
    if (is_argument) signature.arguments.push_back(*argument);
  }
  return true;
}

/// Returns whether a base is nn.Module or object, whose __init__ takes no arguments.
bool takes_nothing(const std::string& base) {
  return base == "nn.Module" || base == "torch.nn.Module" || base == "Module" || base == "object";
}

std::optional<Signature> signature_of(const ModelFiles& files, const FoundClass& found, int depth);

/// Returns the signature that a class without an __init__ has from its only base.
std::optional<Signature> inherited(const ModelFiles& files, const FoundClass& found, int depth) {
  const auto& bases = found.definition->bases;
  if (bases.empty()) return Signature{};
  if (bases.size() > 1) return std::nullopt;
  const std::string base = syntax::dotted_name(bases[0]);
  const Meaning meaning = files.meaning(*found.file, base);
  if (meaning.kind == Meaning::Kind::a_class) return signature_of(files, meaning.found, depth + 1);
  if (takes_nothing(base)) return Signature{};
  return std::nullopt;
}

std::optional<Signature> signature_of(const ModelFiles& files, const FoundClass& found, int depth) {
  const Class& one = *found.definition;
  if (depth > kMostAncestors || !is_plain(one)) return std::nullopt;
  const Member member = member_of(one, "__init__");
  if (!member.is_certain) return std::nullopt;
  if (member.statement) {
    const auto* function = std::get_if<Function>(&member.statement->kind);
    return function ? of_function(*function, *found.file) : std::nullopt;
  }
  if (!syntax::dataclass_decorator(one)) return inherited(files, found, depth);
  std::optional<Signature> fields = Signature{};
  if (!one.bases.empty()) {
    const Meaning base = files.meaning(*found.file, syntax::dotted_name(one.bases[0]));
    const bool is_dataclass = one.bases.size() == 1 && base.kind == Meaning::Kind::a_class &&
                              syntax::dataclass_decorator(*base.found.definition);
    fields = is_dataclass ? signature_of(files, base.found, depth + 1) : std::nullopt;
  }
  if (!fields || !add_fields(found, *fields)) return std::nullopt;
  return fields;
}

/// Returns whether the parameters behind the first are the inputs of forward. The first must be
/// called self: one of another name may be an input in a method that lacks its object.
bool has_plain_parameters(const Function& function) {
  const auto& all = function.parameters;
  if (all.empty() || all[0].name != "self") return false;
  return std::none_of(all.begin(), all.end(), [](const syntax::Parameter& one) {
    return one.kind == syntax::Parameter::Kind::rest;
  });
}

std::optional<Signature> signature_of_forward(const ModelFiles& files, const FoundClass& found,
                                              int depth) {
  const Class& one = *found.definition;
  const Member member = member_of(one, "forward");
  if (depth > kMostAncestors || !one.decorators.empty() || !member.is_certain) return std::nullopt;
  if (member.statement) {
    const auto* function = std::get_if<Function>(&member.statement->kind);
    if (!function || !has_plain_parameters(*function)) return std::nullopt;
    return of_function(*function, *found.file);
  }
  if (one.bases.size() != 1) return std::nullopt;
  const Meaning base = files.meaning(*found.file, syntax::dotted_name(one.bases[0]));
  if (base.kind != Meaning::Kind::a_class) return std::nullopt;
  return signature_of_forward(files, base.found, depth + 1);
}

}  // namespace

const Argument* Signature::find(std::string_view name) const {
  for (const Argument& argument : arguments) {
    if (argument.name == name) return &argument;
  }
  return nullptr;
}

std::optional<Signature> signature_of(const ModelFiles& files, const FoundClass& found) {
  return signature_of(files, found, 0);
}

std::optional<Signature> signature_of_forward(const ModelFiles& files, const FoundClass& found) {
  return signature_of_forward(files, found, 0);
}

}  // namespace knead::front
