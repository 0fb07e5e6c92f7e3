#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runner/syntax/tokens.h"
#include "runner/syntax/tree.h"

namespace knead::syntax {

/// A name as it is written somewhere.
struct WrittenName {
  std::string text;
  Range range;
};

/// The first word of a line, and the keyword that a person may have meant by it; empty where none is
/// near.
std::string_view first_word(std::string_view line);
std::string near_keyword(std::string_view word);

/// Tokens to tree by recursive descent, a function for each rule of the grammar. Each begins at the
/// token that it needs and stops behind the last one that belongs to it.
class Parser {
 public:
  explicit Parser(std::shared_ptr<const schema::Source> source);

  Body file();

 private:
  /// What statements may stand here.
  struct Surroundings {
    bool in_function = false;
    bool in_loop = false;
    bool in_class = false;
  };

  /// The parameters of a def or lambda, as far as they are read.
  struct ParameterList {
    bool annotated = false;  // whether a ':' is an annotation
    std::vector<Parameter> all = {};
    bool after_slash = false;
    bool after_star = false;
    bool after_default = false;
    std::optional<Range> bare_star = {};
  };

  /// One more level of nesting for as long as it lives.
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
  bool accept(std::string_view symbol_or_keyword);
  void expect(std::string_view symbol_or_keyword);
  void expect_closing(std::string_view symbol);  // where a ',' could stand too
  WrittenName name(std::string_view meant);      // "the name of a class", for the message
  std::uint32_t here() { return peek().range.begin; }
  Range since(std::uint32_t begin) const { return {begin, last_end_}; }
  Expression make(std::uint32_t begin, Expression::Kind kind);
  ExpressionPtr boxed(Expression expression) const;

  // --- unexpected.cpp: what is wrong
  std::string in_words(const Token& token) const;
  [[noreturn]] void unexpected(std::string_view wanted = "");
  [[noreturn]] void refuse(Range range, std::string message, std::string remedy = "") const;
  void refuse_left_out();
  [[noreturn]] void leave_out(Range range, std::string_view what, std::string remedy) const;
  void refuse_word_of_block();
  void look_for_open_bracket();

  // --- statements.cpp, imports.cpp
  void statement(Body& body);
  void simple_statements(Body& body);
  [[noreturn]] void refuse_line();
  Statement::Kind simple_statement();
  Statement::Kind expression_statement();
  Statement::Kind assignment(Expression first);
  Statement::Kind annotated_assignment(Expression target);
  Statement::Kind augmented_assignment(Expression target, BinaryOperator op);
  Statement::Kind return_statement();
  Statement::Kind assert_statement();
  Statement::Kind raise_statement();
  Statement::Kind delete_statement();
  Statement::Kind loop_exit();
  Statement::Kind import_statement();
  Statement::Kind from_import();
  ImportedName imported_name(bool dotted);
  std::string dotted_name();

  // --- blocks.cpp
  Statement::Kind compound_statement(std::uint32_t& begin);
  Body block(const Token& owner, Surroundings surroundings);
  Surroundings in_loop() const;
  If if_statement(std::string_view word);
  For for_statement();
  While while_statement();
  Body otherwise();
  With with_statement();
  With::Item with_item();
  bool has_items_in_parentheses();
  Function function(std::vector<Expression> decorators);
  Class class_definition(std::vector<Expression> decorators);
  void refuse_match();

  // --- expressions.cpp
  Expression expression();
  Expression tuple_or_one();      // `a, *b` is a Tuple; may be a lone `*a`
  Expression expressions();       // the same, where a lone `*a` is refused
  Expression named_expression();  // with `name := value`
  Expression starred_or_named();  // an item of a list
  Expression starred_or_one();    // an item of a tuple without parentheses
  Expression starred();
  void refuse_starred(const Expression& expression) const;
  Expression disjunction() { return logical(false); }
  Expression logical(bool is_and);
  Expression inversion();
  Expression comparison();
  Expression binary(int least);
  Expression bitwise() { return binary(0); }
  Expression unary();
  Expression power();
  Expression lambda();
  std::optional<ComparisonOperator> accept_comparison();
  bool begins_expression();

  // --- primary.cpp
  Expression primary();
  Expression subscript(std::uint32_t begin, Expression value);
  Expression index();
  Expression atom();
  Expression number();
  Expression parenthesised();
  Expression list();
  Expression braces();
  Expression dict(std::uint32_t begin, DictItem first);
  DictItem dict_item();
  Expressions items(Expression first, std::string_view closing);
  Expression comprehension(std::uint32_t begin, Comprehension::Kind kind, ExpressionPtr element,
                           ExpressionPtr value, std::string_view closing);
  std::vector<Generator> generators();

  // --- arguments.cpp
  Expression call(std::uint32_t begin, Expression callee);
  void arguments(Expressions& positional, std::vector<Keyword>& keywords);
  void argument(Expressions& positional, std::vector<Keyword>& keywords);
  void keyword_argument(std::vector<Keyword>& keywords);
  Expression starred_argument();
  std::vector<Parameter> parameters(std::string_view closing, bool annotated);
  void slash(ParameterList& list);
  void star_parameter(ParameterList& list);
  void ordinary_parameter(ParameterList& list);
  void add_parameter(ParameterList& list, Parameter::Kind kind);
  void check_not_last(const ParameterList& list, Range range) const;

  // --- literals.cpp, format_scan.cpp
  friend class FormatScan;
  Expression strings();
  Expression part(Range range);

  // --- targets.cpp
  enum class Use { assigned, looped, deleted, context };
  void check_target(const Expression& target, Use use) const;
  void check_targets(const Expressions& targets, Use use) const;
  Expression loop_target();

  std::shared_ptr<const schema::Source> source_;
  Tokens tokens_;
  std::uint32_t last_end_ = 0;  // of the last token that is text
  std::string_view last_text_;
  int depth_ = 0;
  bool in_f_string_ = false;
  Surroundings surroundings_;
};

/// Whether a token begins a statement that has a block.
bool begins_block(const Token& token);

/// "a call", "a number": what an expression is, for messages.
std::string_view in_words(const Expression& expression);

}  // namespace knead::syntax
