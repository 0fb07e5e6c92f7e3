#include "runner/engine/model/python/expressions/add_expressions.h"

#include <map>

#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/expressions/expression.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {
namespace {

using Expressions = std::map<std::pair<std::string, std::int64_t>, Expression>;

/// Compiles each pattern once. An evaluator has expressions of its own.
const Expression& compiled(Expressions& all, const Value& pattern, const Value& flags) {
  const std::pair key(to_text(pattern, "a pattern"), to_integer(flags));
  const auto known = all.find(key);
  if (known != all.end()) return known->second;
  return all.emplace(key, Expression(key.first, key.second)).first->second;
}

bool begins_character(char unit) { return (static_cast<unsigned char>(unit) & 0xC0U) != 0x80; }

/// Returns the byte at which a character begins.
std::size_t byte_of(const std::string& text, std::int64_t character) {
  std::size_t at = 0;
  for (std::int64_t seen = -1; at < text.size(); ++at) {
    if (begins_character(text[at]) && ++seen == character) break;
  }
  return at;
}

/// Returns the number of characters before a byte; -1 for npos.
Value character_at(const std::string& text, std::size_t byte) {
  if (byte > text.size()) return make_integer(-1);
  std::int64_t count = 0;
  for (std::size_t at = 0; at < byte; ++at) count += begins_character(text[at]) ? 1 : 0;
  return count;
}

/// Returns the spans of a match and its groups in characters; None without a match.
Value find_expression(Evaluator& evaluator, Expressions& all, const Arguments& arguments) {
  const BoundArguments bound("find", arguments,
                             {"pattern", "flags", "text", "from", "mode", "advances"}, 6);
  const Expression& expression = compiled(all, bound[0], bound[1]);
  const std::string& text = to_text(bound[2], "the text of a regular expression");
  evaluator.spend(static_cast<std::int64_t>(text.size()) + 16);
  const std::string& mode = to_text(bound[4], "mode");
  using Mode = Expression::Mode;
  const auto found = expression.find(text, byte_of(text, to_integer(bound[3])),
                                     mode == "search"  ? Mode::search
                                     : mode == "match" ? Mode::match
                                                       : Mode::fullmatch,
                                     bound.flag(5, false));
  if (!found) return None{};
  Values spans;
  for (const auto& [begin, end] : *found) {
    spans.push_back(make_tuple({character_at(text, begin), character_at(text, end)}));
  }
  return make_list(std::move(spans));
}

/// Returns the number of groups and a list of their names with their numbers.
Value groups_of(Expressions& all, const Arguments& arguments) {
  const BoundArguments bound("groups", arguments, {"pattern", "flags"}, 2);
  const Expression& expression = compiled(all, bound[0], bound[1]);
  Values names;
  for (const auto& [name, group] : expression.names()) {
    names.push_back(make_tuple({name, static_cast<std::int64_t>(group)}));
  }
  return make_tuple({static_cast<std::int64_t>(expression.groups()), make_list(std::move(names))});
}

}  // namespace

void add_expressions(Evaluator& evaluator) {
  const auto error = make_type("error");
  const auto& above = evaluator.type("Exception")->order;
  error->order.insert(error->order.end(), above.begin(), above.end());
  evaluator.add_type(error);
  evaluator.add_global("_expression_error", error);
  const auto all = std::make_shared<Expressions>();
  evaluator.add_global(
      "_find_expression",
      make_builtin("_find_expression",
                   [all](Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
                     return find_expression(evaluator, *all, arguments);
                   }));
  evaluator.add_global("_groups_of_expression",
                       make_builtin("_groups_of_expression",
                                    [all](Evaluator&, const Arguments& arguments, syntax::Range) {
                                      return groups_of(*all, arguments);
                                    }));
}

}  // namespace knead::engine::model
