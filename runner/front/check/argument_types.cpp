#include "runner/front/check/argument_types.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "runner/syntax/classes.h"

namespace knead::front {
namespace {

using ArgumentKind = WantedType::Kind;
using Types = std::vector<WantedType>;

/// Returns the name of a type without `typing.` or `collections.abc.`; empty if it is from another
/// module.
std::string short_name(const syntax::Expression& expression) {
  const std::string dotted = syntax::dotted_name(expression);
  const std::string_view before = std::string_view(dotted).substr(0, dotted.rfind('.') + 1);
  const bool is_typing = before.empty() || before == "typing." || before == "collections.abc.";
  return is_typing ? dotted.substr(before.size()) : "";
}

ArgumentKind kind_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, ArgumentKind>, 11> kKinds{{
      {"int", ArgumentKind::whole},
      {"float", ArgumentKind::number},
      {"str", ArgumentKind::text},
      {"bool", ArgumentKind::truth},
      {"list", ArgumentKind::list},
      {"List", ArgumentKind::list},
      {"tuple", ArgumentKind::list},
      {"Tuple", ArgumentKind::list},
      {"Sequence", ArgumentKind::list},
      {"dict", ArgumentKind::map},
      {"Dict", ArgumentKind::map},
  }};
  for (const auto& [text, kind] : kKinds) {
    if (text == name) return kind;
  }
  return ArgumentKind::anything;
}

/// Converts the annotations of one file to types.
class Annotations {
 public:
  Annotations(const ModelFiles& files, const syntax::File& file) : files_(files), file_(file) {}

  void add(const syntax::Expression& annotation, Types& types) const {
    const auto* binary = std::get_if<syntax::Binary>(&annotation.kind);
    if (binary && binary->op == syntax::BinaryOperator::bit_or) {
      add(*binary->left, types);
      add(*binary->right, types);
    } else if (const auto* subscript = std::get_if<syntax::Subscript>(&annotation.kind)) {
      add_generic(*subscript, types);
    } else if (const auto* constant = std::get_if<syntax::Constant>(&annotation.kind)) {
      types.push_back(
          {*constant == syntax::Constant::none ? ArgumentKind::nothing : ArgumentKind::anything,
           {},
           {},
           {}});
    } else {
      types.push_back(named(annotation));
    }
  }

 private:
  /// Returns the name of a type of Python or its typing module. Empty if the file may bind the name
  /// to something else.
  std::string known_name(const syntax::Expression& expression) const {
    const std::string name = short_name(expression);
    if (!std::holds_alternative<syntax::Name>(expression.kind)) return name;
    const Meaning::Kind meaning = files_.meaning(file_, name).kind;
    const bool is_builtin = !name.empty() && name[0] >= 'a' && name[0] <= 'z';
    // A lower-case name is Python's unless the file binds it; a name of typing is always imported,
    // so only a class of the files hides it.
    const bool is_other =
        is_builtin ? meaning != Meaning::Kind::nothing : meaning == Meaning::Kind::a_class;
    return is_other ? "" : name;
  }

  WantedType named(const syntax::Expression& annotation) const {
    WantedType type;
    const auto* name = std::get_if<syntax::Name>(&annotation.kind);
    const Meaning meaning = name ? files_.meaning(file_, name->id) : Meaning{};
    if (meaning.kind == Meaning::Kind::a_class) {
      const syntax::Class& one = *meaning.found.definition;
      const bool is_alone = one.bases.empty() && one.keywords.empty() && one.decorators.empty();
      if (syntax::dataclass_decorator(one) || is_alone)
        type = {ArgumentKind::record, nullptr, meaning.found, {}};
    } else {
      type.kind = kind_of(known_name(annotation));
    }
    return type;
  }

  /// Adds the types of `Optional[a]`, `Union[a, b]`, `list[a]` or `Literal["a", "b"]`.
  void add_generic(const syntax::Subscript& generic, Types& types) const {
    const std::string name = known_name(*generic.value);
    const auto* several = std::get_if<syntax::Tuple>(&generic.index->kind);
    if (name == "Optional" && !several) {
      add(*generic.index, types);
      types.push_back({ArgumentKind::nothing, nullptr, {}, {}});
    } else if (name == "Union" && several) {
      for (const syntax::Expression& one : several->items) add(one, types);
    } else if (name == "Literal") {
      types.push_back(literal(generic));
    } else {
      const ArgumentKind kind = kind_of(name);
      const bool has_items = kind == ArgumentKind::list && !several;
      types.push_back({kind, has_items ? generic.index.get() : nullptr, {}, {}});
    }
  }

  static WantedType literal(const syntax::Subscript& generic) {
    WantedType type{ArgumentKind::one_of, nullptr, {}, {}};
    const auto add_word = [&](const syntax::Expression& one) {
      const auto* word = std::get_if<syntax::String>(&one.kind);
      if (word) type.words.push_back(word->value);
      if (!word) type.kind = ArgumentKind::anything;
    };
    if (const auto* several = std::get_if<syntax::Tuple>(&generic.index->kind)) {
      for (const syntax::Expression& one : several->items) add_word(one);
    } else {
      add_word(*generic.index);
    }
    return type;
  }

  const ModelFiles& files_;
  const syntax::File& file_;
};

std::string words_of(const WantedType& type) {
  switch (type.kind) {
    case ArgumentKind::whole: return "a whole number";
    case ArgumentKind::number: return "a number";
    case ArgumentKind::text: return "text";
    case ArgumentKind::truth: return "true or false";
    case ArgumentKind::list: return "a list";
    case ArgumentKind::map: return "a map";
    case ArgumentKind::record:
      return fmt::format("a map of {}'s fields", type.record.definition->name);
    case ArgumentKind::one_of: return fmt::format("'{}'", fmt::join(type.words, "' or '"));
    case ArgumentKind::nothing: return "null";
    case ArgumentKind::anything: return "anything";
  }
  return "";
}

}  // namespace

std::vector<WantedType> wanted_types(const ModelFiles& files, const syntax::File& file,
                                     const syntax::Expression& annotation) {
  Types types;
  Annotations(files, file).add(annotation, types);
  return types;
}

bool fits(const WantedType& type, const schema::Node& value) {
  using Value = schema::Node::Kind;
  // In Python bool is a subclass of int.
  const bool is_truth = value.kind == Value::boolean;
  const bool is_whole = value.kind == Value::integer || is_truth;
  // A value from ${env:…} may be meant as text even if its content looks like a number.
  const bool is_text = value.kind == Value::text || !value.reference.empty();
  switch (type.kind) {
    case ArgumentKind::anything: return true;
    case ArgumentKind::nothing: return value.is_null();
    case ArgumentKind::whole: return is_whole;
    case ArgumentKind::truth: return is_whole;
    case ArgumentKind::number: return is_whole || value.kind == Value::number;
    case ArgumentKind::text: return is_text;
    case ArgumentKind::list: return value.is_list();
    case ArgumentKind::map: return value.is_map();
    case ArgumentKind::record: return value.is_map();
    case ArgumentKind::one_of:
      return is_text &&
             std::find(type.words.begin(), type.words.end(), value.text) != type.words.end();
  }
  return true;
}

std::string in_words(const std::vector<WantedType>& types) {
  std::string words;
  for (const WantedType& type : types) words += (words.empty() ? "" : " or ") + words_of(type);
  return words;
}

}  // namespace knead::front
