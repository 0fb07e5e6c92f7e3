#include "runner/syntax/suspensions.h"

#include <utility>

#include <fmt/format.h>

#include "runner/syntax/parser.h"
#include "runner/syntax/refusal.h"
#include "runner/syntax/walk.h"

namespace knead::syntax {
namespace {

/// Walks over a file with the scope around each place.
class Suspensions {
 public:
  explicit Suspensions(const File& file) : file_(file) {}

  void check() {
    for (const Statement& one : file_.body) (*this)(one);
  }

  void operator()(const Statement& one) {
    if (const auto* function = std::get_if<Function>(&one.kind)) return enter(*function);
    if (const auto* type = std::get_if<Class>(&one.kind)) return enter(*type);
    const auto* loop = std::get_if<For>(&one.kind);
    const auto* with = std::get_if<With>(&one.kind);
    if (loop && loop->is_async) check_async(one.range, "for");
    if (with && with->is_async) check_async(one.range, "with");
    const auto* returned = std::get_if<Return>(&one.kind);
    if (returned && returned->value && !scope_.returned) scope_.returned = one.range;
    for_each_child(one, *this);
  }

  void operator()(const Expression& one) {
    if (const auto* lambda = std::get_if<Lambda>(&one.kind)) return enter(*lambda);
    if (const auto* made = std::get_if<Comprehension>(&one.kind)) return enter(one, *made);
    for_each_child(one, *this);
    if (const auto* yielded = std::get_if<Yield>(&one.kind)) check_yield(one.range, *yielded);
    if (std::holds_alternative<Await>(one.kind)) check_await(one.range);
  }

 private:
  enum class Kind { file, type, function, async_function, comprehension };

  /// A scope with what has been found in it so far. A lambda is a function.
  struct Scope {
    Kind kind = Kind::file;
    const Expression* comprehension = nullptr;  // of that kind
    bool is_suspended = false;                  // a comprehension with `await` or `async for`
    bool yields = false;
    std::optional<Range> returned = {};  // the first `return` with a value
  };

  [[noreturn]] void refuse(Range range, std::string message, std::string remedy = "") const {
    throw Refusal("model-syntax", file_.place(range), std::move(message), std::move(remedy));
  }

  void enter(const Function& function) {
    for (const Expression& decorator : function.decorators) (*this)(decorator);
    for (const Parameter& parameter : function.parameters) {
      if (parameter.fallback) (*this)(*parameter.fallback);
      if (parameter.annotation) (*this)(*parameter.annotation);
    }
    if (function.returns) (*this)(*function.returns);
    const Kind kind = function.is_async ? Kind::async_function : Kind::function;
    const Scope outer = std::exchange(scope_, {.kind = kind});
    for (const Statement& one : function.body) (*this)(one);
    if (function.is_async && scope_.yields && scope_.returned) {
      refuse(*scope_.returned, "'return' with a value in an async generator");
    }
    scope_ = outer;
  }

  void enter(const Class& type) {
    for (const Expression& decorator : type.decorators) (*this)(decorator);
    for (const Expression& base : type.bases) (*this)(base);
    for (const Keyword& keyword : type.keywords) (*this)(*keyword.value);
    const Scope outer = std::exchange(scope_, {.kind = Kind::type});
    for (const Statement& one : type.body) (*this)(one);
    scope_ = outer;
  }

  void enter(const Lambda& lambda) {
    for (const Parameter& parameter : lambda.parameters) {
      if (parameter.fallback) (*this)(*parameter.fallback);
    }
    const Scope outer = std::exchange(scope_, {.kind = Kind::function});
    (*this)(*lambda.body);
    scope_ = outer;
  }

  void enter(const Expression& expression, const Comprehension& made) {
    // Python evaluates the first iterable in the scope around the comprehension.
    (*this)(*made.generators[0].iterable);
    Scope outer =
        std::exchange(scope_, {.kind = Kind::comprehension, .comprehension = &expression});
    for (std::size_t i = 0; i < made.generators.size(); ++i) {
      const Generator& generator = made.generators[i];
      if (generator.is_async) scope_.is_suspended = true;
      if (i > 0) (*this)(*generator.iterable);
      (*this)(*generator.target);
      for (const Expression& condition : generator.conditions) (*this)(condition);
    }
    (*this)(*made.element);
    if (made.value) (*this)(*made.value);
    const bool suspends_outer = scope_.is_suspended && made.kind != Comprehension::Kind::generator;
    scope_ = outer;
    if (suspends_outer) suspend(expression.range, "an async comprehension");
  }

  /// Notes that what stands at a place suspends the scope around it; refuses it if that cannot be.
  void suspend(Range range, std::string_view what) {
    scope_.is_suspended = true;
    const bool is_suspendable =
        scope_.kind == Kind::async_function || scope_.kind == Kind::comprehension;
    if (is_suspendable) return;
    refuse(range, fmt::format("{} outside of an async function", what),
           scope_.kind == Kind::function ? "write 'async def' for the function around it" : "");
  }

  void check_await(Range range) { suspend(range, "'await'"); }

  /// Marks the word `async`, because a statement may be long.
  void check_async(Range range, std::string_view word) {
    suspend({range.begin, range.begin + 5}, fmt::format("'async {}'", word));
  }

  void check_yield(Range range, const Yield& yielded) {
    const std::string_view word = yielded.is_from ? "yield from" : "yield";
    if (scope_.comprehension) {
      refuse(range, fmt::format("'{}' inside of {}", word, syntax::in_words(*scope_.comprehension)),
             "write a 'for' loop");
    }
    if (scope_.kind != Kind::function && scope_.kind != Kind::async_function) {
      refuse(range, fmt::format("'{}' outside of a function", word));
    }
    if (yielded.is_from && scope_.kind == Kind::async_function) {
      refuse(range, "'yield from' inside of an async function",
             "write 'async for' with a 'yield' in it");
    }
    scope_.yields = true;
  }

  const File& file_;
  Scope scope_;
};

}  // namespace

void check_suspensions(const File& file) { Suspensions(file).check(); }

}  // namespace knead::syntax
