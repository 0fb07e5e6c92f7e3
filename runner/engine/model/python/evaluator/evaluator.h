#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <c10/util/Exception.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/python/evaluator/frame.h"
#include "runner/engine/model/python/evaluator/raised.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/program.h"
#include "runner/engine/model/values/value.h"
#include "runner/engine/model/values/values.h"
#include "runner/syntax/refusal.h"

namespace knead::engine::model {

/// Evaluates Python source with the semantics of Python on the types of value.h. What the language
/// of models leaves out is refused and never computed differently. Not thread-safe, and all calls
/// must be on one thread. Classes and functions refer to each other, and are never freed.
///
/// Order of calls: add_builtins() once, open() for the user's file, need() for its class, then
/// construct(). Errors pass two levels: operations on values throw Mistake without a place, and
/// at_place() turns it into a syntax::Refusal at the innermost expression. After an exception the
/// frames are not unwound: begin_anew() must precede the next call.
class Evaluator {
 public:
  /// `program` receives the files that run and must outlive the evaluator; `folder` and those above
  /// it are searched for imported files (module_files.h).
  Evaluator(Program& program, const std::filesystem::path& folder, Limits limits = {});
  ~Evaluator();

  /// Runs the statements of a layer file once, in order, as the module `module`; its names are
  /// added to `globals`. The program owns the result. Throws syntax::Refusal at the line.
  FileValues& run(std::shared_ptr<const syntax::File> file, const std::string& module,
                  std::shared_ptr<Scope> globals = std::make_shared<Scope>());

  /// Adds a file of the user to the program and runs nothing yet: need() runs its statements. A
  /// second call with the same file returns the same module.
  std::shared_ptr<Namespace> open(const std::filesystem::path& path, const std::string& module);
  /// Runs the statements of a file that give these names their values and that have not run, in the
  /// order of the file. A statement that fails gives its names a value that is an error when it is
  /// used, because the rest of the file may not need them. Throws only if the limits are reached.
  void need(const FileValues& file, const syntax::Names& names);
  /// Runs the statements that bind any name of the file.
  void need_all(const FileValues& file);
  /// Returns whether a statement of the file binds the name, `from m import *` left out.
  bool binds(const FileValues& file, const std::string& name) const;

  /// Closes all frames, which an exception leaves open, and counts the limits from the beginning.
  /// The thread may be another one than before.
  void begin_anew();
  bool is_running() const { return !frames_.empty(); }

  /// Reports the calls of modules from now on; null ends this. The listener must outlive the calls.
  void listen(CallListener* listener) { listener_ = listener; }
  /// Calls forward of a module and reports the call. Throws Mistake if the class has no forward.
  Value call_module(const std::shared_ptr<Object>& module, const Arguments& arguments);

  // --- operations for the built-in functions; all throw Mistake unless stated otherwise, and
  // syntax::Refusal for an error in source that they call ---

  /// Calls a function, a class, a method or an object with __call__, at a place of the source.
  Value call(const Value& callee, const Arguments& arguments, syntax::Range at = {});
  /// Return an attribute; if there is none, the first throws Mistake with a remedy. May run source:
  /// a property or __getattr__.
  Value attribute(const Value& of, const std::string& name);
  std::optional<Value> find_attribute(const Value& of, const std::string& name);
  /// Assigns an attribute of an object, a tensor or a class of a file: calls the setter of a
  /// property, registers Parameters and submodules of a module. Throws Mistake for other values and
  /// frozen dataclasses.
  void set_attribute(const Value& of, const std::string& name, Value value);
  void delete_attribute(const Value& of, const std::string& name);
  /// Calls a method of an object; returns std::nullopt for other values and without such a method.
  std::optional<Value> call_method(const Value& of, const std::string& name, Values arguments = {});

  /// Iterate over a value; items() returns all items at once. Each item counts as a step. Iterating
  /// over a set with several items throws Mistake unless `any_order` is given, because its order is
  /// not defined. The iterator refers to this evaluator.
  std::shared_ptr<Iterator> iterate(const Value& value, bool any_order = false);
  Values items(const Value& value, bool any_order = false);
  /// Returns an attribute; std::nullopt if there is none, or if its property raises AttributeError.
  std::optional<Value> attribute_or_none(const Value& of, const std::string& name);
  /// Calls a method of an object; returns std::nullopt if it raises this exception.
  std::optional<Value> call_unless(const char* exception, const Value& of,
                                   const std::string& method, Values arguments = {});
  /// Returns bool(value), by __bool__ or __len__ for objects. Throws c10::Error for a tensor of
  /// several items.
  bool truth(const Value& value);
  /// Returns `a == b` as a bool; throws c10::Error for tensors of several items.
  bool equal(const Value& a, const Value& b);
  /// Returns `item in container`: part of a text, key of a dict, item of anything else that can be
  /// iterated over.
  bool contains(const Value& container, const Value& item);
  /// Returns str(value), by __str__ of its class if there is one.
  std::string text(const Value& value);
  /// Returns repr(value). A tensor shows its shape and dtype in place of its numbers. Throws
  /// Mistake below 100 levels of nesting.
  std::string repr(const Value& value);
  /// Returns len(value); the size of the first dimension for a tensor, code points for a text.
  std::size_t length(const Value& value);
  /// Read, write and delete `of[index]`: lists, tuples, texts, ranges, dicts, tensors, and objects
  /// with the method. An unknown key is a Mistake "KeyError: 'name'" with a similar key as remedy.
  Value item(const Value& of, const Value& index);
  void set_item(const Value& of, const Value& index, Value value);
  void delete_item(const Value& of, const Value& index);
  /// Computes `left op right`, including the operator methods of objects. May throw c10::Error for
  /// tensors that do not fit.
  Value binary(syntax::BinaryOperator op, const Value& left, const Value& right);

  /// Returns the value of a key, valid until the dict changes; null if there is none. Takes time
  /// linear in the size of the dict. Throws Mistake for keys that are not hashable.
  Value* find_key(Dict& dict, const Value& key);
  /// Replaces the value of a key, which keeps its position, or appends the key.
  void set_key(Dict& dict, const Value& key, Value value);
  /// Adds an item to a set and returns whether none is equal to it, which takes linear time.
  bool add_to(Set& set, const Value& item);

  /// Returns operator_of(), one value for each name.
  Value known_operator(const std::string& space, const std::string& name);
  /// Returns type(value). A tensor that make_parameter() made is a Parameter.
  std::shared_ptr<Class> type_of(const Value& value);
  /// Returns a built-in class by its name, "int" or "Module"; throws std::out_of_range for another.
  std::shared_ptr<Class> type(const std::string& name) const;
  /// Implements isinstance(); `type` is a class, None, a tuple of types or a name of typing.
  bool is_instance(const Value& value, const Value& type);

  /// Returns a module by its import name; null if no module has this name. Loads the layer files
  /// when a running file first asks for torch. Does not search for files beside the model.
  std::shared_ptr<Namespace> module(const std::string& name);
  /// Returns a file of the model that was opened, by its import name; null if none has it.
  std::shared_ptr<Namespace> opened(const std::string& name) const;
  /// Registers a module, a built-in class or a built-in name; replaces an earlier one.
  void add_module(const std::string& name, std::shared_ptr<Namespace> names);
  void add_type(std::shared_ptr<Class> type);
  void add_global(const std::string& name, Value value) { builtins_->set(name, std::move(value)); }
  const Value& global(const std::string& name) const { return *builtins_->find(name); }

  /// Returns whether make_parameter() made it, as nn.Parameter is not a type of LibTorch.
  bool is_parameter(const at::Tensor& tensor) const;
  /// Returns a parameter that shares the storage of `tensor` and has no gradient history. Throws
  /// Mistake for a dtype without gradients, unless `requires_grad` is false.
  at::Tensor make_parameter(const at::Tensor& tensor, bool requires_grad);

  /// Makes an object of a class: calls its __init__, or the constructor of a built-in class. Throws
  /// Mistake if the __init__ of a module does not call super().__init__().
  Value construct(const std::shared_ptr<Class>& type, const Arguments& arguments, syntax::Range at);

  /// Returns whether the innermost frame runs a layer file, and not a file of the user.
  bool is_in_layer() const;

  /// Counts steps and throws Mistake above the limit or for a negative number, an overflow. Call it
  /// before memory is allocated: four steps for an item, and one for eight bytes of its text.
  void spend(std::int64_t steps);
  void spend_items(std::int64_t items) { spend(items * 4); }
  void spend_items_of(const Values& items);
  void spend_items_of(const Dict& dict);
  void spend_item(const Value& item);

  /// Throws syntax::Refusal at the user's line that led to `range`, which is a range of the file of
  /// the innermost frame; the calls in layer files are listed below it. A frame must be open.
  [[noreturn]] void fail(syntax::Range range, const std::string& message,
                         const std::string& remedy = "") const;
  /// Throws Raised with an exception object at a range of the innermost frame.
  [[noreturn]] void raise(syntax::Range range, const std::shared_ptr<Object>& exception,
                          const std::string& remedy = "");
  /// Throws the mistake at a range: Raised if the source can catch it, otherwise syntax::Refusal.
  [[noreturn]] void fail(syntax::Range range, const Mistake& mistake);

  /// Returns the result of `work`; converts Mistake and errors of LibTorch to a Refusal at `range`.
  template <typename Work>
  auto at_place(syntax::Range range, Work&& work) {
    try {
      return work();
    } catch (const Mistake& mistake) {
      fail(range, mistake);
    } catch (const FailedBefore& before) {
      syntax::Refusal failure = *before.failure;
      failure.needed.push_back(frames_.back().file->file->place(range));
      throw failure;
    } catch (const c10::Error& error) {
      fail(range, Mistake::of("RuntimeError", words_of(error)));
    }
  }

  /// Calls `work` as if the statement at `range` of the file did; errors are reported there.
  template <typename Work>
  auto in_file(const FileValues& file, syntax::Range range, Work&& work) {
    frames_.push_back({.file = &file, .scope = file.globals, .names = file.globals, .at = range});
    auto result = at_place(range, work);
    frames_.pop_back();
    return result;
  }

  /// Returns the value of an expression in the innermost frame. Throws syntax::Refusal there.
  Value evaluate(const syntax::Expression& expression);

 private:
  friend struct ExpressionVisitor;
  friend struct GeneratorRun;
  friend struct StatementVisitor;
  friend struct TryStatement;
  friend struct Importer;
  /// States how a block continues after a statement.
  enum class Flow { next, break_, continue_, return_ };

  /// Run the statements of a block or one statement; the block ends at the first one that does not
  /// continue with the next.
  Flow execute(const syntax::Body& body);
  Flow execute(const syntax::Statement& statement);
  /// Assigns a value to a name, an attribute, an item, or the parts of a tuple or list.
  void assign(const syntax::Expression& target, const Value& value);
  /// Assigns the items of a value to several targets, of which one may be starred. Throws Mistake
  /// if their number does not fit.
  void unpack(const syntax::Expressions& targets, const Value& value);
  void unassign(const syntax::Expression& target);
  /// Assigns to a name of the innermost frame, or of the scope that `global` or `nonlocal` chooses.
  void assign(const std::string& name, const Value& value);
  Scope* outer_scope_of(const std::string& name) const;
  std::optional<Value> unless(const char* exception,
                              const std::function<std::optional<Value>()>& work);
  Flow run_try(const syntax::Try& statement);
  /// Runs statements of a file; a failure stands for the names of its statement.
  void run_statements(const FileValues& file, const std::vector<std::size_t>& places);
  void import(const syntax::Import& import, const syntax::Statement& statement);
  /// Returns the function of a definition with its defaults, after its decorators.
  Value define_function(const syntax::Function& definition);
  Value define_class(const syntax::Class& definition);
  /// Calls __init_subclass__ of the bases of a new class.
  void tell_bases(const std::shared_ptr<Class>& type);
  Value decorate(const syntax::Expression& decorator, const Value& value);
  Values fallbacks(const std::vector<syntax::Parameter>& parameters);
  /// Looks a name up in the scopes of the function, the file and the built-in names. Throws Mistake
  /// with a similar name as remedy.
  Value name(const std::string& id);
  /// Returns the value; throws Mistake if it is a module that is not available to models.
  const Value& available(const Value& value) const;
  std::shared_ptr<Scope> enclosing() const;
  Value comprehension(const syntax::Comprehension& comprehension);
  /// Return iterators that compute each item when it is asked for: those of a function with `yield`
  /// and those of a generator expression, whose outermost iterable Python evaluates at once.
  Value generator(const std::shared_ptr<Function>& function, const std::shared_ptr<Scope>& scope);
  Value generator(const syntax::Comprehension& comprehension, std::shared_ptr<Iterator> first);
  bool advance(const syntax::Comprehension& comprehension,
               std::vector<std::shared_ptr<Iterator>>& iterators);
  std::string format(const syntax::Replacement& replacement);
  std::string format(const std::vector<std::variant<std::string, syntax::Replacement>>& parts);

  /// Evaluates the arguments of a call and expands `*` and `**`. Throws Mistake for a keyword that
  /// is given twice.
  Arguments arguments(const syntax::Call& call);
  Value call_builtin(const Builtin& builtin, const Arguments& arguments, syntax::Range at);
  Value call_function(const std::shared_ptr<Function>& function, const Arguments& arguments);
  /// Binds arguments to parameters by Python's rules and adds them to `scope`. Checks the
  /// annotations int and float of layers only, because Python ignores annotations.
  void bind(const Function& function, const Arguments& arguments, Scope& scope);
  Value super_of_frame(syntax::Range at);  // super() without arguments; refused outside of a method
  std::int64_t steps() const;  // since begin_anew(), those of functions without an evaluator too
  bool equal_parts(const Value& a, const Value& b);
  void enter(syntax::Range range);  // counts a step and refuses recursion that is too deep
  /// Returns whether a function assigns a name, which makes the name local in it.
  bool assigns(const Function& function, const std::string& name);
  std::shared_ptr<Object> make_exception(const std::string& type, const std::string& message);
  /// Returns the places of all open calls, outermost first.
  std::vector<schema::Place> chain(syntax::Range range) const;

  Program& program_;
  std::vector<std::filesystem::path> folders_;  // searched for imports
  Limits limits_;
  std::int64_t steps_ = 0;
  std::int64_t parts_before_;  // counted_parts() before the first step
  /// Address on the stack at the first evaluation, from which Limits::stack counts.
  const char* stack_ = nullptr;
  bool layers_loaded_ = false, einops_loaded_ = false;
  /// Open frames, the innermost last. Calls may reallocate it, so a reference to a frame is not
  /// valid after an evaluation.
  std::vector<StackFrame> frames_;
  std::shared_ptr<Scope> builtins_;
  std::map<std::string, std::shared_ptr<Namespace>> modules_;
  std::map<std::string, Value> operators_;  // by module and name
  /// Modules of the model by the path of their file, and the folders of those that are packages.
  std::map<std::filesystem::path, std::shared_ptr<Namespace>> files_;
  std::map<const Namespace*, std::filesystem::path> folders_of_modules_;
  std::map<const void*, syntax::Names> assigned_;           // by a function, by its definition
  std::map<const FileValues*, FileStatements> statements_;  // of files of the user, not of layers
  /// Exceptions whose handlers run now, the innermost last, for `raise` without a value.
  std::vector<Raised> handled_;
  bool is_exhausted_ = false;  // a limit was reached: no `except` may go on
  CallListener* listener_ = nullptr;
  std::vector<at::Tensor> parameters_;  // keeps the addresses below from being used again
  std::unordered_set<const void*> is_parameter_;
};

}  // namespace knead::engine::model
