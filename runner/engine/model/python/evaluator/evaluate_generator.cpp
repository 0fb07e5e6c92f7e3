#include "runner/engine/model/python/evaluator/evaluate_generator.h"

#include <algorithm>

#include <fmt/format.h>

#include <c10/core/GradMode.h>

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/syntax/walk.h"

namespace knead::engine::model {
namespace {

/// Finds a `yield` that suspends the function around a node.
struct FindsYield {
  bool found = false;
  void operator()(const syntax::Expression& one) {
    if (std::holds_alternative<syntax::Lambda>(one.kind)) return;
    found = found || std::holds_alternative<syntax::Yield>(one.kind);
    if (!found) syntax::for_each_child(one, *this);
  }
  void operator()(const syntax::Statement& one) {
    const bool is_other = std::holds_alternative<syntax::Function>(one.kind) ||
                          std::holds_alternative<syntax::Class>(one.kind);
    if (!found && !is_other) syntax::for_each_child(one, *this);
  }
};

template <typename Node>
bool holds_yield(const Node& node) {
  FindsYield finds;
  finds(node);
  return finds.found;
}

}  // namespace

bool has_yield(const syntax::Function& definition) {
  return std::any_of(definition.body.begin(), definition.body.end(),
                     [](const syntax::Statement& one) { return holds_yield(one); });
}

/// A call of a function with `yield`. It runs statement by statement: `open` are the blocks around
/// the next statement, the innermost last, so no stack is kept between two items. A `yield` is a
/// statement of its own, or the value of an assignment.
struct GeneratorRun {
  using Flow = Evaluator::Flow;

  struct OpenBlock {
    const syntax::Body* body;
    std::size_t next = 0;
    const syntax::For* loop = nullptr;
    const syntax::While* repeat = nullptr;
    std::shared_ptr<Iterator> items = nullptr;  // of `loop`
    const syntax::Try* guarded = nullptr;       // its `finally` runs when the block is left

    bool is_loop() const { return loop || repeat; }
  };

  Evaluator& evaluator;
  std::shared_ptr<Function> function;  // to which the frame points
  StackFrame frame;
  std::vector<OpenBlock> open;
  std::shared_ptr<Iterator> inner = nullptr;  // of `yield from`
  std::optional<Value> yielded = std::nullopt;
  bool is_running = false;
  bool is_over = false;

  std::optional<Value> next() {
    if (is_running) throw Mistake::of("ValueError", "generator already executing");
    if (is_over) return std::nullopt;
    const c10::AutoGradMode gradients(c10::GradMode::is_enabled() && !function->no_grad);
    // An exception ends the generator.
    is_running = is_over = true;
    const std::size_t depth = evaluator.frames_.size();
    evaluator.frames_.push_back(frame);
    yielded.reset();
    bool goes_on = true;
    try {
      while (goes_on && !yielded) goes_on = step();
      if (!goes_on) run_finals();
    } catch (const Raised&) {
      is_running = false;
      if (evaluator.is_exhausted_) throw;
      evaluator.frames_.resize(depth + 1);
      evaluator.frames_.back().scope = frame.scope;
      run_finals();
      evaluator.frames_.resize(depth);
      throw;
    } catch (...) {
      is_running = false;
      throw;
    }
    frame = std::move(evaluator.frames_.back());
    evaluator.frames_.resize(depth);
    is_running = false;
    is_over = !goes_on;
    return yielded;
  }

  /// Ends the generator, as an exception at its last `yield` would: what is below `finally` runs.
  void close() {
    if (is_running) throw Mistake::of("ValueError", "generator already executing");
    if (is_over) return;
    is_over = true;
    evaluator.frames_.push_back(frame);
    run_finals();
    evaluator.frames_.pop_back();
  }

 private:
  /// Leaves all blocks, the innermost first.
  void run_finals() {
    while (!open.empty()) {
      const syntax::Try* guarded = open.back().guarded;
      open.pop_back();
      if (guarded) evaluator.execute(guarded->at_the_end);
    }
  }

  /// Runs one statement or leaves one block; returns false at the end of the function.
  bool step() {
    if (inner) {
      yielded = inner->next();
      if (!yielded) inner.reset();
      return true;
    }
    if (open.empty()) return false;
    OpenBlock& block = open.back();
    if (block.next == block.body->size()) {
      leave(block);
      return true;
    }
    const syntax::Statement& statement = (*block.body)[block.next++];
    if (!holds_yield(statement)) return follow(evaluator.execute(statement));
    evaluator.enter(statement.range);
    evaluator.at_place(statement.range, [&] {
      std::visit([&](const auto& node) { enter(statement.range, node); }, statement.kind);
    });
    return true;
  }

  /// Begins the next round of a loop, or continues after the block.
  void leave(OpenBlock& block) {
    if (const syntax::For* loop = block.loop) {
      evaluator.frames_.back().at = loop->iterable.range;
      if (const std::optional<Value> item = block.items->next()) {
        block.next = 0;
        evaluator.assign(loop->target, *item);
      } else {
        block = {.body = &loop->otherwise};
      }
    } else if (const syntax::While* repeat = block.repeat) {
      if (evaluator.truth(evaluator.evaluate(repeat->condition))) {
        block.next = 0;
      } else {
        block = {.body = &repeat->otherwise};
      }
    } else if (const syntax::Try* guarded = block.guarded) {
      block = {.body = &guarded->at_the_end};
    } else {
      open.pop_back();
    }
  }

  bool follow(Flow flow) {
    if (flow == Flow::return_) return false;
    if (flow == Flow::next) return true;
    while (!open.back().is_loop()) {
      const syntax::Try* guarded = open.back().guarded;
      open.pop_back();
      if (guarded) evaluator.execute(guarded->at_the_end);
    }
    if (flow == Flow::continue_) {
      open.back().next = open.back().body->size();
    } else {
      open.pop_back();
    }
    return true;
  }

  void give(const syntax::Yield& yield) {
    Value value = yield.value ? evaluator.evaluate(*yield.value) : Value(None{});
    if (yield.is_from) {
      inner = evaluator.iterate(value);
    } else {
      yielded = std::move(value);
    }
  }

  void enter(syntax::Range, const syntax::ExpressionStatement& statement) {
    const auto* yield = std::get_if<syntax::Yield>(&statement.value.kind);
    if (!yield) return refuse(statement.value.range);
    give(*yield);
  }

  /// The value of `yield` is None: next() alone resumes a generator here.
  void enter(syntax::Range, const syntax::Assign& assign) {
    const auto* yield = std::get_if<syntax::Yield>(&assign.value.kind);
    if (!yield || yield->is_from) return refuse(assign.value.range);
    give(*yield);
    for (const syntax::Expression& target : assign.targets) evaluator.assign(target, None{});
  }

  void enter(syntax::Range, const syntax::If& branch) {
    const bool holds = evaluator.truth(evaluator.evaluate(branch.condition));
    open.push_back({.body = holds ? &branch.body : &branch.otherwise});
  }

  void enter(syntax::Range, const syntax::For& loop) {
    const Value iterable = evaluator.evaluate(loop.iterable);
    auto items =
        evaluator.at_place(loop.iterable.range, [&] { return evaluator.iterate(iterable); });
    open.push_back(
        {.body = &loop.body, .next = loop.body.size(), .loop = &loop, .items = std::move(items)});
  }

  void enter(syntax::Range, const syntax::While& loop) {
    open.push_back({.body = &loop.body, .next = loop.body.size(), .repeat = &loop});
  }

  void enter(syntax::Range at, const syntax::Try& statement) {
    if (!statement.handlers.empty()) return refuse(at);
    open.push_back({.body = &statement.body, .guarded = &statement});
  }

  template <typename Other>
  void enter(syntax::Range at, const Other&) {
    refuse(at);
  }

  void refuse(syntax::Range at) const {
    evaluator.fail(
        at, "a generator cannot yield inside of this here",
        "write `yield` as a line of its own, below 'if', 'for', 'while' and a 'try' without "
        "'except' only");
  }
};

// As in Python, nothing of the body runs before the first item is asked for.
Value Evaluator::generator(const std::shared_ptr<Function>& function,
                           const std::shared_ptr<Scope>& scope) {
  const StackFrame frame{
      .file = function->file, .scope = scope, .names = scope, .function = function.get()};
  const auto run =
      std::make_shared<GeneratorRun>(GeneratorRun{.evaluator = *this,
                                                  .function = function,
                                                  .frame = frame,
                                                  .open = {{.body = &function->definition->body}}});
  const Value iterator = make_iterator("generator", [run] { return run->next(); });
  (*as<Iterator>(iterator))->close = [run] { run->close(); };
  return iterator;
}

}  // namespace knead::engine::model
