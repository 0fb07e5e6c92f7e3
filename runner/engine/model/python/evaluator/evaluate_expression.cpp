#include <fmt/format.h>

#include <c10/util/Exception.h>

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/evaluator/operators.h"
#include "runner/engine/model/python/evaluator/settings.h"
#include "runner/engine/model/values/work.h"

namespace knead::engine::model {

/// Evaluates each kind of expression.
struct ExpressionVisitor {
  Evaluator& evaluator;
  const syntax::Expression& expression;

  Value of(const syntax::ExpressionPtr& part) const { return evaluator.evaluate(*part); }

  /// Sets the place of implicit calls: properties and operator methods.
  void stand_here() const { evaluator.frames_.back().at = expression.range; }

  Values items(const syntax::Expressions& parts) const {
    Values values;
    for (const syntax::Expression& part : parts) {
      if (const auto* starred = std::get_if<syntax::Starred>(&part.kind)) {
        for (Value& item : evaluator.items(of(starred->value))) values.push_back(std::move(item));
      } else {
        values.push_back(evaluator.evaluate(part));
      }
    }
    for (const Value& value : values) evaluator.spend_item(value);
    return values;
  }

  Value operator()(const syntax::Name& name) const { return evaluator.name(name.id); }

  Value operator()(const syntax::Constant& constant) const {
    switch (constant) {
      case syntax::Constant::none: return None{};
      case syntax::Constant::true_: return true;
      case syntax::Constant::false_: return false;
      case syntax::Constant::ellipsis: return Ellipsis{};
    }
    return None{};
  }

  Value operator()(const syntax::Integer& integer) const {
    if (!integer.value) throw Mistake("this whole number does not fit 64 bits");
    return *integer.value;
  }

  Value operator()(const syntax::Float& number) const { return number.value; }
  Value operator()(const syntax::String& text) const { return text.value; }
  Value operator()(const syntax::Imaginary&) const {
    throw Mistake("complex numbers are not part of the language of models outside of methods",
                  "make a tensor: torch.complex(real, imaginary)");
  }
  Value operator()(const syntax::Bytes&) const {
    throw Mistake("bytes are not part of the language of models",
                  "write a string or a list of numbers");
  }
  Value operator()(const syntax::Yield&) const {
    throw Mistake("a lambda cannot yield here", "write a function with def");
  }
  Value operator()(const syntax::Await&) const {
    throw Mistake("'await' is not part of the language of models",
                  "a model runs from its first line to its last; write it without async and await");
  }
  Value operator()(const syntax::FString& text) const { return evaluator.format(text.parts); }
  Value operator()(const syntax::List& list) const { return make_list(items(list.items)); }
  Value operator()(const syntax::Tuple& tuple) const { return make_tuple(items(tuple.items)); }

  Value operator()(const syntax::Set& set) const {
    auto made = std::make_shared<Set>();
    for (const Value& item : items(set.items)) evaluator.add_to(*made, item);
    return made;
  }

  Value operator()(const syntax::Dict& dict) const {
    auto made = std::make_shared<Dict>();
    for (const syntax::DictItem& item : dict.items) {
      if (item.key) {
        const Value key = of(item.key);
        // A table of classes may name some that are not there.
        evaluator.set_key(*made, key, value_or_placeholder(evaluator, *item.value));
        continue;
      }
      const Value other = of(item.value);
      if (!as<Dict>(other) && !is_settings(other)) {
        throw Mistake(fmt::format("'{}' object is not a mapping", type_name(other)));
      }
      add_items(evaluator, *made, other);
    }
    return made;
  }

  Value operator()(const syntax::Unary& unary) const {
    const Value operand = of(unary.operand);
    stand_here();
    if (unary.op == syntax::UnaryOperator::not_) return !evaluator.truth(operand);
    return unary_operation(evaluator, unary.op, operand);
  }

  Value operator()(const syntax::Binary& binary) const {
    const Value left = of(binary.left);
    const Value right = of(binary.right);
    stand_here();
    return evaluator.binary(binary.op, left, right);
  }

  Value operator()(const syntax::Logical& logical) const {
    Value value = None{};
    for (const syntax::Expression& operand : logical.operands) {
      value = evaluator.evaluate(operand);
      if (&operand == &logical.operands.back()) break;
      if (evaluator.truth(value) != logical.is_and) break;
    }
    return value;
  }

  Value operator()(const syntax::Comparison& comparison) const {
    Value left = evaluator.evaluate(comparison.operands[0]);
    Value result = true;
    for (std::size_t i = 0; i < comparison.operators.size(); ++i) {
      Value right = evaluator.evaluate(comparison.operands[i + 1]);
      stand_here();
      result = comparison_operation(evaluator, comparison.operators[i], left, right);
      // The result of the last comparison is not converted, so `a < b` of tensors gives a tensor.
      if (i + 1 == comparison.operators.size() || !evaluator.truth(result)) break;
      left = std::move(right);
    }
    return result;
  }

  Value operator()(const syntax::Starred&) const {
    throw Mistake("can't use starred expression here");
  }

  Value operator()(const syntax::Call& call) const {
    const Value callee = of(call.callee);
    const Arguments arguments = evaluator.arguments(call);
    stand_here();
    // super() needs the frame of the method, which a built-in function does not get.
    if (const auto* type = as<Class>(callee);
        type != nullptr && (*type)->name == "super" && arguments.positional.empty()) {
      return evaluator.super_of_frame(expression.range);
    }
    return evaluator.call(callee, arguments, expression.range);
  }

  Value operator()(const syntax::Attribute& attribute) const {
    const Value value = of(attribute.value);
    stand_here();
    try {
      return evaluator.attribute(value, attribute.name);
    } catch (const Mistake& mistake) {
      evaluator.fail(attribute.name_range, mistake);
    }
  }

  Value operator()(const syntax::Subscript& subscript) const {
    const Value value = of(subscript.value);
    const Value index = of(subscript.index);
    stand_here();
    return evaluator.item(value, index);
  }

  Value operator()(const syntax::Slice& slice) const {
    const auto part = [&](const syntax::ExpressionPtr& written) {
      return written ? of(written) : Value{None{}};
    };
    return std::make_shared<Slice>(
        Slice{.begin = part(slice.begin), .end = part(slice.end), .step = part(slice.step)});
  }

  Value operator()(const syntax::Conditional& conditional) const {
    return of(evaluator.truth(of(conditional.condition)) ? conditional.body
                                                         : conditional.otherwise);
  }

  Value operator()(const syntax::Lambda& lambda) const {
    evaluator.spend_items(4);  // a function takes as much memory
    auto made = std::make_shared<Function>();
    made->name = "<lambda>";
    made->file = evaluator.frames_.back().file;
    made->lambda = &lambda;
    made->fallbacks = evaluator.fallbacks(lambda.parameters);
    made->closure = evaluator.enclosing();
    return made;
  }

  Value operator()(const syntax::Comprehension& comprehension) const {
    stand_here();
    return evaluator.comprehension(comprehension);
  }

  /// Binds the name in the enclosing function, also from within a comprehension.
  Value operator()(const syntax::Walrus& walrus) const {
    Value value = of(walrus.value);
    evaluator.frames_.back().names->set(walrus.name, value);
    return value;
  }
};

Value Evaluator::evaluate(const syntax::Expression& expression) {
  enter(expression.range);
  return at_place(expression.range, [&] {
    Value value = std::visit(ExpressionVisitor{*this, expression}, expression.kind);
    spend(text_steps(value));  // a text is copied with its value
    return value;
  });
}

Arguments Evaluator::arguments(const syntax::Call& call) {
  Arguments made;
  for (const syntax::Expression& argument : call.arguments) {
    if (const auto* starred = std::get_if<syntax::Starred>(&argument.kind)) {
      for (Value& item : items(evaluate(*starred->value))) {
        made.positional.push_back(std::move(item));
      }
    } else {
      made.positional.push_back(evaluate(argument));
    }
  }
  const auto add = [&](const std::string& name, Value value) {
    count_parts(static_cast<std::int64_t>(made.named.size() / 2));
    for (const auto& there : made.named) {
      if (there.first == name) {
        throw Mistake(fmt::format("got multiple values for keyword argument '{}'", name));
      }
    }
    made.named.emplace_back(name, std::move(value));
  };
  for (const syntax::Keyword& keyword : call.keywords) {
    Value value = evaluate(*keyword.value);
    if (!keyword.name.empty()) {
      add(keyword.name, std::move(value));
      continue;
    }
    if (is_settings(value)) {
      for (const auto& [key, item] : NamedValues(entries_of(value))) add(key, item);
      continue;
    }
    const auto* dict = as<Dict>(value);
    if (dict == nullptr)
      throw Mistake("argument after ** must be a mapping, not " + type_name(value));
    for (const auto& [key, item] : (*dict)->items) add(to_text(key, "a keyword"), item);
  }
  return made;
}

Value Evaluator::super_of_frame(syntax::Range at) {
  const StackFrame& frame = frames_.back();
  const auto owner = frame.function == nullptr ? nullptr : frame.function->owner.lock();
  if (owner == nullptr || frame.names->names.empty()) fail(at, "super(): no arguments");
  // The first name of a call frame is its first parameter, self.
  return std::make_shared<Super>(Super{.self = frame.names->names[0].second, .after = owner});
}

}  // namespace knead::engine::model
