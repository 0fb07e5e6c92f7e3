#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runner/syntax/tokens.h"
#include "runner/syntax/tree.h"

namespace knead::syntax {

/// An identifier with its place in the text.
struct WrittenName {
  std::string text;
  Range range;
};

/// Returns the first word of a line, without indentation: "def" of "  def forward(self):". It ends
/// at a blank, '(' or ':'.
std::string_view first_word(std::string_view line);
/// Returns the keyword that a word was probably meant as, or an empty text: "return" for "retrun".
/// Words of fewer than three letters have none.
std::string near_keyword(std::string_view word);

/// Parses tokens into a tree by recursive descent, with one function per grammar rule. Each
/// function starts at the first token of its rule and stops after the last one. Throws Refusal at
/// the first error; the object is of no use afterwards.
///
/// The declarations stand in the order of the files that define them. Functions of simple
/// statements leave the end of the line to simple_statements(). Messages say what was expected in
/// the words of a user, so expect() and name() get them as arguments. The tree owns copies of all
/// names and does not need the parser.
class Parser {
 public:
  /// Keeps `source` alive. Reads no token yet. The text must have passed the checks of parse().
  explicit Parser(std::shared_ptr<const schema::Source> source);

  /// Parses the whole file into its top-level statements. Called once.
  Body file();

 private:
  /// The enclosing statements, which decide whether `return`, `break` and `import *` are allowed.
  /// A loop within `except*` sets in_loop, and one around it does not.
  struct Surroundings {
    bool in_function = false;
    bool in_loop = false;
    bool in_class = false;
    bool in_group_block = false;  // in the block of an `except*`
  };

  /// The parameters of a def or lambda that are parsed so far, and which of `/`, `*` and a default
  /// came before. These flags decide which kinds of parameters may follow.
  struct ParameterList {
    bool annotated = false;  // true for def: ':' begins an annotation
    std::vector<Parameter> all = {};
    bool after_slash = false;
    bool after_star = false;
    bool after_default = false;
    std::optional<Range> bare_star = {};
  };

  /// Counts one level of nesting during its lifetime. The constructor throws Refusal beyond
  /// kMostLevels.
  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // --- parser.cpp: tokens
  const Token& peek(std::size_t ahead = 0) { return tokens_.peek(ahead); }
  Token take();
  bool at(std::string_view symbol_or_keyword) { return peek().is(symbol_or_keyword); }
  bool at(Token::Kind kind) { return peek().kind == kind; }
  /// Consumes the next token if it is the given symbol or keyword, and returns whether it was.
  bool accept(std::string_view symbol_or_keyword);
  /// Consumes the given symbol or keyword, or refuses the next token.
  void expect(std::string_view symbol_or_keyword);
  void expect_closing(std::string_view symbol);  // the message also offers ','
  WrittenName name(std::string_view meant);      // `meant`: "the name of a class"
  std::uint32_t here() { return peek().range.begin; }
  /// Returns the range from `begin` to the end of the last consumed token.
  Range since(std::uint32_t begin) const { return {begin, last_end_}; }
  /// Builds an expression that begins at `begin` and ends at the last consumed token. Throws
  /// Refusal beyond kMostLevels.
  Expression make(std::uint32_t begin, Expression::Kind kind);
  /// Moves an expression to the heap, where a parent can own it.
  ExpressionPtr boxed(Expression expression) const;

  // --- unexpected.cpp: what is wrong
  std::string in_words(const Token& token) const;
  /// Refuses the next token, or an earlier cause such as an open bracket.
  [[noreturn]] void unexpected(std::string_view wanted = "");
  /// Throws a Refusal with the code model-syntax. `message` is one sentence; `remedy` says what to
  /// write and may be empty.
  [[noreturn]] void refuse(Range range, std::string message, std::string remedy = "") const;
  /// Refuses a construct of Python that models do not have, with the code model-refused. `what` is
  /// the subject with its verb: "'match' is".
  [[noreturn]] void leave_out(Range range, std::string_view what, std::string remedy) const;
  /// Refuses `else`, `elif`, `except` and `finally` without their block.
  void refuse_word_of_block();
  /// Refuses a bracket on an earlier line that is never closed, if there is one.
  void look_for_open_bracket();

  // --- statements.cpp, imports.cpp
  void statement(Body& body);
  /// Parses the statements of one line, separated by ';', and its newline, and appends them.
  void simple_statements(Body& body);
  /// Refuses the rest of a line after a complete statement.
  [[noreturn]] void refuse_line();
  /// Parses one statement without a block. Refuses `match`, `type` and keywords of a block that
  /// stands nowhere.
  Statement::Kind simple_statement();
  /// Parses a statement that begins with an expression: the expression alone or an assignment of
  /// any kind.
  Statement::Kind expression_statement();
  /// Parses `= … = value` after the first target.
  Statement::Kind assignment(Expression first);
  /// Parses `: annotation = value` after the target; the value may be missing.
  Statement::Kind annotated_assignment(Expression target);
  /// Parses `op= value` after the target.
  Statement::Kind augmented_assignment(Expression target, BinaryOperator op);
  Statement::Kind return_statement();
  Statement::Kind assert_statement();
  Statement::Kind raise_statement();
  Statement::Kind delete_statement();
  Statement::Kind declaration();
  /// Parses `break` or `continue`; refuses them outside of a loop.
  Statement::Kind loop_exit();
  Statement::Kind import_statement();
  Statement::Kind from_import();
  /// Parses `name as alias`. With `dotted` the name may be `a.b.c`, as a module may.
  ImportedName imported_name(bool dotted);
  std::string dotted_name();

  // --- blocks.cpp
  /// Parses decorators and the statement with a block behind them. Moves `begin` to where the
  /// statement itself begins.
  Statement::Kind compound_statement(std::uint32_t& begin);
  /// Parses `: statements` on the same line, or an indented block. `owner` is the keyword of the
  /// statement, for messages.
  Body block(const Token& owner, Surroundings surroundings);
  /// Returns the current surroundings for the body of a loop.
  Surroundings in_loop() const;
  /// Parses from `word`, `if` or `elif`, to the end of the last branch. Each `elif` counts as a
  /// level of nesting, because the tree holds it within the `else` before.
  If if_statement(std::string_view word);
  For for_statement(bool is_async);
  While while_statement();
  /// Parses `else:` and its block; returns an empty body if there is no `else`.
  Body otherwise();
  With with_statement(bool is_async);
  With::Item with_item();
  /// Returns whether the parenthesis after `with` encloses all items of the statement.
  bool has_items_in_parentheses();
  /// Parses a `def`. A function hides the loops around it: `break` in it needs a loop of its own.
  Function function(std::vector<Expression> decorators, bool is_async);
  Class class_definition(std::vector<Expression> decorators);
  /// Parses from `try` to the end of the last of its blocks.
  Try try_statement();
  /// Parses `except type as name` or `except* type as name` with its block, and appends it.
  void except_block(Try& made);
  /// Refuses several types without parentheses after the first one, which begins at `begin`.
  void refuse_types(std::uint32_t begin);
  /// Refuses `return`, `break` or `continue` in the block of an `except*`.
  [[noreturn]] void refuse_leaving_groups(const Token& word) const;
  /// Refuses `match` and `type` statements, whose keywords are also names.
  void refuse_match();

  // --- expressions.cpp
  /// Parses any expression but `a := b`, `*a` and `a, b`.
  Expression expression();
  Expression tuple_or_one();      // `a, *b` is a Tuple; may be a lone `*a`
  Expression expressions();       // as tuple_or_one(), but refuses a lone `*a`
  Expression yield_or_tuple();    // as tuple_or_one(), or a `yield`, as where a value is assigned
  Expression named_expression();  // with `name := value`
  Expression starred_or_named();  // an item of a list
  Expression starred_or_one();    // an item of a tuple without parentheses
  Expression starred();
  Expression yield_expression();
  Expression await_expression();
  /// Refuses a lone `*a` where its items have no place.
  void refuse_starred(const Expression& expression) const;
  Expression disjunction() { return logical(false); }
  /// Parses `a or b`, or with `is_and` its operands `a and b`.
  Expression logical(bool is_and);
  /// Parses `not a`, or a comparison.
  Expression inversion();
  /// Parses a chain of comparisons, or one operand.
  Expression comparison();
  /// Parses binary operators with at least the precedence `least`.
  Expression binary(int least);
  Expression bitwise() { return binary(0); }
  /// Parses `-a`, `+a`, `~a`, or a power.
  Expression unary();
  /// Parses `a ** b`, or `a`. The exponent may have a sign: `2 ** -1`.
  Expression power();
  Expression lambda();
  /// Consumes a comparison operator if one follows; `is not` and `not in` are two tokens.
  std::optional<ComparisonOperator> accept_comparison();
  /// Returns whether an expression follows a comma, so that the comma was not trailing.
  bool begins_expression();

  // --- primary.cpp

  /// Parses an atom followed by attributes, calls and subscripts.
  Expression primary();
  /// Parses `[index]` after a value that begins at `begin`.
  Expression subscript(std::uint32_t begin, Expression value);
  Expression index();
  /// Parses a name, a literal, or anything in brackets; refuses any other token.
  Expression atom();
  Expression number();
  /// Parses `(a)`, a tuple or a generator. `(a)` is just `a`.
  Expression parenthesised();
  Expression list();
  /// Parses a set, a dict, or a comprehension of one.
  Expression braces();
  /// Parses the rest of a dict display or comprehension after its first item.
  Expression dict(std::uint32_t begin, DictItem first);
  DictItem dict_item();
  /// Parses the rest of a list, tuple or set after its first item.
  Expressions items(Expression first, std::string_view closing);
  /// Parses the loops and the closing bracket after the element. `value` is null except in a dict.
  Expression comprehension(std::uint32_t begin, Comprehension::Kind kind, ExpressionPtr element,
                           ExpressionPtr value, std::string_view closing);
  /// Returns whether a loop of a comprehension follows.
  bool at_generator() { return at("for") || at("async"); }
  /// Parses `for target in iterable if condition …`, once or more.
  std::vector<Generator> generators();

  // --- arguments.cpp
  /// Parses the arguments of a call after the callee, which begins at `begin`.
  Expression call(std::uint32_t begin, Expression callee);
  void arguments(Expressions& positional, std::vector<Keyword>& keywords);
  void argument(Expressions& positional, std::vector<Keyword>& keywords);
  void keyword_argument(std::vector<Keyword>& keywords);
  Expression starred_argument();
  /// Parses parameters up to `closing`, which stays: ")" after a def, ":" after lambda.
  std::vector<Parameter> parameters(std::string_view closing, bool annotated);
  void slash(ParameterList& list);
  void star_parameter(ParameterList& list);
  void ordinary_parameter(ParameterList& list);
  /// Parses a parameter's name and annotation and appends it; refuses a name that the list has.
  void add_parameter(ParameterList& list, Parameter::Kind kind);
  /// Refuses a parameter after `**keywords`.
  void check_not_last(const ParameterList& list, Range range) const;

  // --- literals.cpp, format_scan.cpp
  friend class FormatScan;
  /// Parses adjacent string literals as one String, Bytes or FString.
  Expression strings();
  /// Parses the expression of a replacement field of an f-string with tokens of its own, and
  /// returns to the tokens around the string.
  Expression part(Range range);
  /// Parses what part() does, with the current tokens.
  Expression part_value();

  // --- targets.cpp
  /// Tells what a statement does with its target, for messages. `with` has a target of the use
  /// `context`.
  enum class Use { assigned, looped, deleted, context };
  /// Refuses an expression that cannot be assigned to, looped over or deleted. Checks the items of
  /// tuples and lists too.
  void check_target(const Expression& target, Use use) const;
  void check_targets(const Expressions& targets, Use use) const;
  /// Parses and checks the target of a `for`, up to its `in`.
  Expression loop_target();

  std::shared_ptr<const schema::Source> source_;
  Tokens tokens_;
  std::uint32_t last_end_ = 0;  // end of the last token with text
  std::string_view last_text_;  // text of that token
  int depth_ = 0;
  bool in_f_string_ = false;
  Surroundings surroundings_;
};

/// Returns whether a token begins a compound statement that models have (`if`, `def`, `@`, …).
bool begins_block(const Token& token);

/// Describes an expression for messages, with an article: "a call", "a number". The text is static.
std::string_view in_words(const Expression& expression);

}  // namespace knead::syntax
