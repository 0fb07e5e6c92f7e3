#include <fmt/format.h>

#include <c10/core/GradMode.h>

#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/evaluator/operators.h"

namespace knead::engine::model {

/// Runs each kind of statement and returns how the block continues.
struct StatementVisitor {
  Evaluator& evaluator;
  const syntax::Statement& statement;

  using Flow = Evaluator::Flow;

  Flow operator()(const syntax::ExpressionStatement& expression) const {
    evaluator.evaluate(expression.value);
    return Flow::next;
  }

  Flow operator()(const syntax::Assign& assign) const {
    const Value value = evaluator.evaluate(assign.value);
    for (const syntax::Expression& target : assign.targets) evaluator.assign(target, value);
    return Flow::next;
  }

  Flow operator()(const syntax::AugmentedAssign& assign) const {
    // The object and the index of the target are evaluated only once, as in Python.
    const auto changed = [&](const Value& before) {
      const Value value = evaluator.evaluate(assign.value);
      evaluator.frames_.back().at = statement.range;
      return in_place_operation(evaluator, assign.op, before, value);
    };
    if (const auto* attribute = std::get_if<syntax::Attribute>(&assign.target.kind)) {
      const Value of = evaluator.evaluate(*attribute->value);
      evaluator.set_attribute(of, attribute->name,
                              changed(evaluator.attribute(of, attribute->name)));
    } else if (const auto* subscript = std::get_if<syntax::Subscript>(&assign.target.kind)) {
      const Value of = evaluator.evaluate(*subscript->value);
      const Value index = evaluator.evaluate(*subscript->index);
      evaluator.set_item(of, index, changed(evaluator.item(of, index)));
    } else {
      evaluator.assign(assign.target, changed(evaluator.evaluate(assign.target)));
    }
    return Flow::next;
  }

  Flow operator()(const syntax::AnnotatedAssign& assign) const {
    if (assign.value) evaluator.assign(assign.target, evaluator.evaluate(*assign.value));
    return Flow::next;
  }

  Flow operator()(const syntax::Return& statement_) const {
    if (statement_.value) {
      // The value is evaluated before frames_.back() is taken, because calls may reallocate
      // frames_.
      Value value = evaluator.evaluate(*statement_.value);
      evaluator.frames_.back().result = std::move(value);
    }
    return Flow::return_;
  }

  Flow operator()(const syntax::If& branch) const {
    const bool holds = evaluator.truth(evaluator.evaluate(branch.condition));
    return evaluator.execute(holds ? branch.body : branch.otherwise);
  }

  Flow operator()(const syntax::For& loop) const {
    const Value iterable = evaluator.evaluate(loop.iterable);
    // The iterator is made once; a list that grows in the body is visited to its new end, as in
    // Python.
    const auto iterator =
        evaluator.at_place(loop.iterable.range, [&] { return evaluator.iterate(iterable); });
    while (true) {
      evaluator.frames_.back().at = loop.iterable.range;
      const std::optional<Value> item = iterator->next();
      if (!item) return evaluator.execute(loop.otherwise);
      evaluator.assign(loop.target, *item);
      const Flow flow = evaluator.execute(loop.body);
      if (flow == Flow::return_) return flow;
      if (flow == Flow::break_) return Flow::next;
    }
  }

  Flow operator()(const syntax::While& loop) const {
    while (evaluator.truth(evaluator.evaluate(loop.condition))) {
      const Flow flow = evaluator.execute(loop.body);
      if (flow == Flow::return_) return flow;
      if (flow == Flow::break_) return Flow::next;
    }
    return evaluator.execute(loop.otherwise);
  }

  Flow operator()(const syntax::With& with) const { return inside(with, 0); }

  /// Enters the contexts of `with` from the given one on and runs the body inside of them.
  Flow inside(const syntax::With& with, std::size_t place) const {
    if (place == with.items.size()) return evaluator.execute(with.body);
    const syntax::With::Item& item = with.items[place];
    const Value context = evaluator.evaluate(item.context);
    const auto* object = as<Object>(context);
    if (const auto gradients = gradient_mode_of(context)) {
      // The guard restores the gradient mode, also after an exception.
      const c10::AutoGradMode mode(*gradients);
      if (item.target) evaluator.assign(*item.target, context);
      return inside(with, place + 1);
    }
    const bool is_context =
        object && (*object)->type->find("__enter__") && (*object)->type->find("__exit__");
    if (!is_context) {
      const auto words = fmt::format("'{}' object does not support the context manager protocol",
                                     type_name(context));
      evaluator.fail(item.context.range, Mistake::of("TypeError", words));
    }
    evaluator.frames_.back().at = item.context.range;
    const Value entered = *evaluator.call_method(context, "__enter__");
    if (item.target) evaluator.assign(*item.target, entered);
    const std::size_t depth = evaluator.frames_.size();
    const std::shared_ptr<Scope> scope = evaluator.frames_.back().scope;
    Flow flow = Flow::next;
    try {
      flow = inside(with, place + 1);
    } catch (const Raised& raised) {
      if (evaluator.is_exhausted_) throw;
      evaluator.frames_.resize(depth);
      evaluator.frames_.back().scope = scope;
      const auto& exception = raised.exception();
      const auto ends =
          evaluator.call_method(context, "__exit__", {exception->type, Value(exception), None{}});
      if (evaluator.truth(*ends)) return Flow::next;
      throw;
    }
    evaluator.call_method(context, "__exit__", {None{}, None{}, None{}});
    return flow;
  }

  Flow operator()(const syntax::Try& statement_) const { return evaluator.run_try(statement_); }

  Flow operator()(const syntax::Function& definition) const {
    const Value value = evaluator.define_function(definition);
    evaluator.assign(definition.name, value);
    return Flow::next;
  }

  Flow operator()(const syntax::Class& definition) const {
    const Value value = evaluator.define_class(definition);
    evaluator.assign(definition.name, value);
    return Flow::next;
  }

  /// Names of `nonlocal` need no mark: outer_scope_of() finds them.
  Flow operator()(const syntax::Declaration& declaration) const {
    if (!declaration.is_global) return Flow::next;
    if (is_model_running()) {
      evaluator.fail(statement.range,
                     Mistake("a method cannot assign a name of the file while the model runs: a "
                             "checkpoint does not hold it",
                             "keep the value as an attribute of self"));
    }
    evaluator.frames_.back().globals.insert(declaration.names.begin(), declaration.names.end());
    return Flow::next;
  }

  Flow operator()(const syntax::Import& import) const {
    evaluator.import(import, statement);
    return Flow::next;
  }

  Flow operator()(const syntax::Simple& simple) const {
    switch (simple) {
      case syntax::Simple::pass: return Flow::next;
      case syntax::Simple::break_: return Flow::break_;
      case syntax::Simple::continue_: return Flow::continue_;
    }
    return Flow::next;
  }

  Flow operator()(const syntax::Assert& assert_) const {
    if (evaluator.truth(evaluator.evaluate(assert_.condition))) return Flow::next;
    if (!assert_.message) {
      evaluator.fail(assert_.condition.range,
                     Mistake::of("AssertionError", "this assertion does not hold"));
    }
    const std::string message = evaluator.text(evaluator.evaluate(*assert_.message));
    evaluator.fail(statement.range, Mistake::of("AssertionError", "AssertionError: " + message));
  }

  Flow operator()(const syntax::Raise& raise) const {
    if (!raise.value && !evaluator.handled_.empty()) throw Raised(evaluator.handled_.back());
    if (!raise.value) throw Mistake("No active exception to reraise");
    Value raised = evaluator.evaluate(*raise.value);
    if (as<Class>(raised) != nullptr) raised = evaluator.call(raised, {}, raise.value->range);
    if (!evaluator.is_instance(raised, evaluator.type("BaseException"))) {
      throw Mistake("exceptions must derive from BaseException");
    }
    evaluator.raise(statement.range, std::get<std::shared_ptr<Object>>(raised));
  }

  Flow operator()(const syntax::Delete& statement_) const {
    for (const syntax::Expression& target : statement_.targets) evaluator.unassign(target);
    return Flow::next;
  }
};

Evaluator::Flow Evaluator::execute(const syntax::Body& body) {
  for (const syntax::Statement& statement : body) {
    const Flow flow = execute(statement);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

Evaluator::Flow Evaluator::execute(const syntax::Statement& statement) {
  enter(statement.range);
  return at_place(statement.range, [&] {
    return std::visit(StatementVisitor{*this, statement}, statement.kind);
  });
}

// --- targets

void Evaluator::assign(const syntax::Expression& target, const Value& value) {
  at_place(target.range, [&] {
    if (const auto* name = std::get_if<syntax::Name>(&target.kind)) {
      assign(name->id, value);
    } else if (const auto* attribute = std::get_if<syntax::Attribute>(&target.kind)) {
      set_attribute(evaluate(*attribute->value), attribute->name, value);
    } else if (const auto* subscript = std::get_if<syntax::Subscript>(&target.kind)) {
      const Value of = evaluate(*subscript->value);
      set_item(of, evaluate(*subscript->index), value);
    } else if (const auto* tuple = std::get_if<syntax::Tuple>(&target.kind)) {
      unpack(tuple->items, value);
    } else {
      unpack(std::get<syntax::List>(target.kind).items, value);
    }
  });
}

void Evaluator::unpack(const syntax::Expressions& targets, const Value& value) {
  Values values = items(value);
  std::size_t rest = targets.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (std::holds_alternative<syntax::Starred>(targets[i].kind)) rest = i;
  }
  const bool starred = rest < targets.size();
  const std::size_t wanted = starred ? targets.size() - 1 : targets.size();
  if (values.size() < wanted) {
    throw Mistake::of("ValueError",
                      fmt::format("not enough values to unpack (expected {}{}, got {})",
                                  starred ? "at least " : "", wanted, values.size()));
  }
  if (!starred && values.size() > wanted) {
    throw Mistake::of("ValueError", fmt::format("too many values to unpack (expected {})", wanted));
  }
  const std::size_t extra = values.size() - wanted;
  for (std::size_t i = 0, from = 0; i < targets.size(); ++i) {
    if (i != rest) {
      assign(targets[i], values[from++]);
      continue;
    }
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
    const auto& target = *std::get<syntax::Starred>(targets[i].kind).value;
    assign(target, make_list(Values(begin, begin + static_cast<std::ptrdiff_t>(extra))));
    from += extra;
  }
}

void Evaluator::unassign(const syntax::Expression& target) {
  at_place(target.range, [&] {
    if (const auto* name = std::get_if<syntax::Name>(&target.kind)) {
      auto& names = frames_.back().scope->names;
      const auto removed =
          std::erase_if(names, [&](const auto& entry) { return entry.first == name->id; });
      if (removed == 0) throw Mistake(fmt::format("name '{}' is not defined", name->id));
    } else if (const auto* attribute = std::get_if<syntax::Attribute>(&target.kind)) {
      delete_attribute(evaluate(*attribute->value), attribute->name);
    } else if (const auto* subscript = std::get_if<syntax::Subscript>(&target.kind)) {
      const Value of = evaluate(*subscript->value);
      delete_item(of, evaluate(*subscript->index));
    } else if (const auto* tuple = std::get_if<syntax::Tuple>(&target.kind)) {
      for (const auto& item : tuple->items) unassign(item);
    } else {
      for (const auto& item : std::get<syntax::List>(target.kind).items) unassign(item);
    }
  });
}

}  // namespace knead::engine::model
