#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runner/engine/model/values/value.h"
#include "runner/syntax/names/statement_names.h"

namespace knead::engine::model {

/// Limits the work of building a model, so that an endless loop or recursion in a source file ends
/// with an error.
struct Limits {
  /// Expressions evaluated, statements run and items made (four steps each), by all files together.
  std::int64_t steps = 20'000'000;
  /// Nested calls of source functions, class bodies and files. Python's default is 1000 as well.
  std::size_t calls = 1000;
  /// Bytes of the thread's stack, counted from the first evaluation. Must be well below the size of
  /// that stack.
  std::size_t stack = 4 << 20;
};

/// Is told of every call of a module, as `self.layer(x)`. An exception leaves modules without
/// left().
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void entered(const Object& module) = 0;
  virtual void left(const Object& module, const Value& result) = 0;
};

/// A call, a class body or a file that is being run.
struct StackFrame {
  const FileValues* file = nullptr;
  std::shared_ptr<Scope> scope;        // of a comprehension; otherwise equals `names`
  std::shared_ptr<Scope> names;        // of the call, the class body or the file
  const Function* function = nullptr;  // null for a file or a class body
  bool is_class = false;
  syntax::Range at = {};  // the call that this frame makes now
  Value result = None{};
  syntax::Names globals = {};  // names that `global` declares
  int import_guards = 0;       // open `try` blocks that catch an ImportError
  std::vector<std::shared_ptr<Function>> functions = {};  // that a class body defines
};

/// The statements of a file of the user, and which of them have run.
struct FileStatements {
  std::vector<syntax::StatementNames> names;
  std::vector<bool> have_run;
  /// The statement that runs now; the number of statements while none does.
  std::size_t running = 0;
};

}  // namespace knead::engine::model
