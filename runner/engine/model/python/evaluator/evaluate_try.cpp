#include <algorithm>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {
namespace {

/// Returns whether a handler catches that a module does not exist. Only names are looked at,
/// because Python evaluates the type of a handler after something was raised.
bool expects_missing_module(const syntax::Expression* type) {
  if (!type) return true;
  if (const auto* several = std::get_if<syntax::Tuple>(&type->kind)) {
    return std::any_of(several->items.begin(), several->items.end(),
                       [](const auto& one) { return expects_missing_module(&one); });
  }
  const auto* name = std::get_if<syntax::Name>(&type->kind);
  return name && (name->id == "ImportError" || name->id == "ModuleNotFoundError" ||
                  name->id == "Exception" || name->id == "BaseException");
}

}  // namespace

/// Runs one `try`. Its handlers catch what Python raises too, not the limits of the language of
/// models: they would hide that something is missing, and the model would be another one.
struct TryStatement {
  Evaluator& evaluator;
  const syntax::Try& statement;

  using Flow = Evaluator::Flow;

  Flow run() const {
    if (statement.takes_groups) throw Mistake("'except*' is not part of the language of models");
    const std::size_t depth = evaluator.frames_.size();
    const std::shared_ptr<Scope> scope = evaluator.frames_.back().scope;
    Flow flow = Flow::next;
    try {
      flow = run_guarded();
    } catch (const Raised&) {
      unwind(depth, scope);
      const Flow last = evaluator.execute(statement.at_the_end);
      // `return` in a `finally` ends the exception.
      if (last != Flow::next) return last;
      throw;
    }
    const Value result = evaluator.frames_.back().result;
    const Flow last = evaluator.execute(statement.at_the_end);
    if (last != Flow::next) return last;
    evaluator.frames_.back().result = result;
    return flow;
  }

 private:
  /// Takes back what an exception left open: frames above `depth`, scopes of comprehensions.
  void unwind(std::size_t depth, const std::shared_ptr<Scope>& scope) const {
    evaluator.frames_.resize(depth);
    evaluator.frames_.back().scope = scope;
  }

  Flow run_guarded() const {
    const std::size_t depth = evaluator.frames_.size();
    const std::shared_ptr<Scope> scope = evaluator.frames_.back().scope;
    const int guards = evaluator.frames_.back().import_guards;
    const bool is_guard =
        std::any_of(statement.handlers.begin(), statement.handlers.end(),
                    [](const auto& one) { return expects_missing_module(one.type.get()); });
    if (is_guard) ++evaluator.frames_.back().import_guards;
    try {
      const Flow flow = evaluator.execute(statement.body);
      evaluator.frames_.back().import_guards = guards;
      if (flow != Flow::next) return flow;
    } catch (const Raised& raised) {
      if (evaluator.is_exhausted_) throw;
      unwind(depth, scope);
      evaluator.frames_.back().import_guards = guards;
      const syntax::Except* except = except_for(raised.exception());
      if (!except) throw;
      return run_except(*except, raised);
    }
    return evaluator.execute(statement.otherwise);
  }

  /// Returns the first handler that catches an exception; null if none does.
  const syntax::Except* except_for(const Value& exception) const {
    for (const syntax::Except& except : statement.handlers) {
      if (!except.type) return &except;
      const Value type = evaluator.evaluate(*except.type);
      const bool catches = evaluator.at_place(
          except.type->range, [&] { return evaluator.is_instance(exception, type); });
      if (catches) return &except;
    }
    return nullptr;
  }

  Flow run_except(const syntax::Except& except, const Raised& raised) const {
    const std::size_t handled = evaluator.handled_.size();
    evaluator.handled_.push_back(raised);
    if (!except.name.empty()) evaluator.assign(except.name, raised.exception());
    Flow flow = Flow::next;
    try {
      flow = evaluator.execute(except.body);
    } catch (const Raised&) {
      evaluator.handled_.resize(handled, raised);
      throw;
    }
    evaluator.handled_.pop_back();
    // Python deletes the name at the end of the handler.
    if (!except.name.empty()) {
      std::erase_if(evaluator.frames_.back().scope->names,
                    [&](const auto& entry) { return entry.first == except.name; });
    }
    return flow;
  }
};

Evaluator::Flow Evaluator::run_try(const syntax::Try& statement) {
  return TryStatement{*this, statement}.run();
}

}  // namespace knead::engine::model
