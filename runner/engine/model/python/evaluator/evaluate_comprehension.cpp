#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// The iterators form a stack: the last one belongs to the innermost loop that is open. An exhausted
// iterator is removed and the loop around it continues.
bool Evaluator::advance(const syntax::Comprehension& comprehension,
                        std::vector<std::shared_ptr<Iterator>>& iterators) {
  const auto& generators = comprehension.generators;
  while (!iterators.empty()) {
    const syntax::Generator& generator = generators[iterators.size() - 1];
    std::optional<Value> item = iterators.back()->next();
    if (!item) {
      iterators.pop_back();
      continue;
    }
    assign(*generator.target, *item);
    bool holds = true;
    for (const syntax::Expression& condition : generator.conditions) {
      holds = holds && truth(evaluate(condition));
    }
    if (!holds) continue;
    if (iterators.size() == generators.size()) return true;
    iterators.push_back(iterate(evaluate(*generators[iterators.size()].iterable)));
  }
  return false;
}

// A generator runs later, so it keeps a copy of its frame and puts the copy on the stack for each
// item.
Value Evaluator::generator(const syntax::Comprehension& comprehension,
                           std::shared_ptr<Iterator> first) {
  StackFrame frame = frames_.back();
  frame.scope = std::make_shared<Scope>(Scope{.names = {}, .outer = enclosing()});
  auto iterators = std::make_shared<std::vector<std::shared_ptr<Iterator>>>();
  iterators->push_back(std::move(first));
  return make_iterator("generator",
                       [this, frame, iterators, &comprehension]() -> std::optional<Value> {
                         frames_.push_back(frame);
                         std::optional<Value> value;
                         if (advance(comprehension, *iterators))
                           value = evaluate(*comprehension.element);
                         frames_.pop_back();
                         return value;
                       });
}

Value Evaluator::comprehension(const syntax::Comprehension& comprehension) {
  // The outermost iterable belongs to the scope outside and is evaluated at once, also for a
  // generator.
  auto first = iterate(evaluate(*comprehension.generators[0].iterable));
  using Kind = syntax::Comprehension::Kind;
  if (comprehension.kind == Kind::generator) return generator(comprehension, std::move(first));

  StackFrame& frame = frames_.back();
  // Calls may reallocate frames_, so the frame is found by its index afterwards.
  const std::size_t depth = frames_.size() - 1;
  const std::shared_ptr<Scope> before = frame.scope;
  frame.scope = std::make_shared<Scope>(Scope{.names = {}, .outer = enclosing()});
  std::vector<std::shared_ptr<Iterator>> iterators{std::move(first)};
  auto list = std::make_shared<List>();
  auto set = std::make_shared<Set>();
  auto dict = std::make_shared<Dict>();
  while (advance(comprehension, iterators)) {
    Value element = evaluate(*comprehension.element);
    spend_item(element);
    if (comprehension.kind == Kind::dict) {
      set_key(*dict, element, evaluate(*comprehension.value));
    } else if (comprehension.kind == Kind::set) {
      add_to(*set, element);
    } else {
      list->items.push_back(std::move(element));
    }
  }
  frames_[depth].scope = before;
  if (comprehension.kind == Kind::dict) return dict;
  if (comprehension.kind == Kind::set) return set;
  return list;
}

}  // namespace knead::engine::model
