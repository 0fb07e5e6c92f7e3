#include "runner/engine/model/einops/pattern.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "runner/engine/model/values/mistake.h"
#include "runner/syntax/letters.h"

namespace knead::engine::model::einops {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& remedy = "") {
  throw Mistake::of("EinopsError", message, remedy);
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// Returns whether a byte may stand in a name or a number. Bytes beyond ASCII may; whether they
/// form letters is asked of the whole name.
bool is_word(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 0x80 || letter == '_' || (letter >= '0' && letter <= '9') ||
         (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

/// Reads one side of a pattern, character by character.
class ExpressionReader {
 public:
  explicit ExpressionReader(Accepted accepted) : accepted_(accepted) {}

  Expression read(std::string_view text);

 private:
  void add(const std::string& word);
  void add_axis(const Axis& axis);
  /// Ends the word that is open; an ellipsis is a part of a word, as in einops.
  void end_word() {
    if (!word_.empty()) add(word_);
    word_.clear();
  }

  Accepted accepted_;
  Expression result_;
  std::optional<Group> group_;  // the open parenthesis
  std::string word_;
};

void check_dots(std::string_view text) {
  const auto dots = std::count(text.begin(), text.end(), '.');
  if (dots == 0) return;
  if (text.find(kEllipsis) == text.npos) {
    refuse("Expression may contain dots only inside ellipsis (...)");
  }
  if (dots != 3) {
    refuse("Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor");
  }
}

Expression ExpressionReader::read(std::string_view text) {
  check_dots(text);
  result_.has_ellipsis = text.find(kEllipsis) != text.npos;
  for (const char letter : text) {
    if (is_word(letter) || letter == '.') {
      word_ += letter;
      continue;
    }
    if (letter != '(' && letter != ')' && letter != ' ') {
      refuse(fmt::format("Unknown character '{}'", letter));
    }
    end_word();
    if (letter == '(') {
      if (group_) {
        refuse("Axis composition is one-level (brackets inside brackets not allowed)");
      }
      group_.emplace();
    } else if (letter == ')') {
      if (!group_) refuse("Brackets are not balanced");
      result_.groups.push_back(*group_);
      group_.reset();
    }
  }
  if (group_) refuse(fmt::format("Imbalanced parentheses in expression: \"{}\"", text));
  end_word();
  return std::move(result_);
}

void ExpressionReader::add(const std::string& word) {
  const bool is_open_to_repetition = accepted_.duplicates || (accepted_.underscore && word == "_");
  const auto is_in = [&](const Group& group) {
    return std::any_of(group.begin(), group.end(),
                       [&](const Axis& axis) { return axis.name == word; });
  };
  if (!is_open_to_repetition && (result_.has(word) || (group_ && is_in(*group_)))) {
    refuse(fmt::format("Indexing expression contains duplicate dimension \"{}\"", word));
  }
  if (word == kEllipsis) {
    result_.has_ellipsis_in_parentheses = group_.has_value();
    return add_axis({word});
  }
  if (!is_digits(word)) {
    const bool is_underscore = accepted_.underscore && word == "_";
    const std::string fault = is_underscore ? "" : fault_of_axis_name(word);
    if (!fault.empty()) refuse(fmt::format("Invalid axis identifier: {}", word), fault);
    return add_axis({word});
  }
  std::int64_t number = 0;
  if (std::from_chars(word.data(), word.data() + word.size(), number).ec != std::errc()) {
    refuse(fmt::format("the length {} of an axis does not fit 64 bits", word));
  }
  if (number == 0) refuse("Anonymous axis should have positive length, not 0");
  if (number > 1) return add_axis({"", number});
  // An axis of length 1 inside of parentheses changes nothing.
  if (!group_) result_.groups.emplace_back();
}

void ExpressionReader::add_axis(const Axis& axis) {
  if (group_) {
    group_->push_back(axis);
  } else {
    result_.groups.push_back({axis});
  }
}

/// Returns the letter that stands for the one axis of a group in an equation of torch.einsum.
char letter_of(const Group& group, std::vector<std::string>& names, bool may_add,
               const std::string& pattern) {
  const auto refuse_group = [](const char* message) {
    throw Mistake::of("NotImplementedError", message);
  };
  if (group.empty()) refuse_group("Singleton () axes are not yet supported in einsum.");
  if (group.size() > 1) refuse_group("Shape rearrangement is not yet supported in einsum.");
  const Axis& axis = group.front();
  if (axis.is_number()) refuse_group("Anonymous axes are not yet supported in einsum.");
  const auto found = std::find(names.begin(), names.end(), axis.name);
  const auto index = static_cast<std::size_t>(found - names.begin());
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (found == names.end()) {
    if (!may_add) {
      refuse(fmt::format("Unknown axis {} on right side of einsum '{}'.", axis.name, pattern));
    }
    if (index >= kLetters.size()) {
      throw Mistake::of("RuntimeError", "Too many axes in einsum.");
    }
    names.push_back(axis.name);
  }
  return kLetters[index];
}

/// Returns the letters of one operand or of the result of an equation.
std::string letters_of(std::string_view text, std::vector<std::string>& names, bool is_result,
                       const std::string& pattern) {
  const Expression side = parse_expression(text, {.underscore = true, .duplicates = !is_result});
  std::string letters;
  for (const Group& group : side.groups) {
    const bool is_ellipsis = group.size() == 1 && group.front().is_ellipsis();
    if (is_ellipsis && !side.has_ellipsis_in_parentheses) {
      letters += kEllipsis;
    } else {
      letters += letter_of(group, names, !is_result, pattern);
    }
  }
  return letters;
}

}  // namespace

bool Expression::has(std::string_view name) const {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    return std::any_of(group.begin(), group.end(),
                       [&](const Axis& axis) { return !axis.is_number() && axis.name == name; });
  });
}

bool Expression::has_numbers() const {
  return std::any_of(groups.begin(), groups.end(), [](const Group& group) {
    return std::any_of(group.begin(), group.end(),
                       [](const Axis& axis) { return axis.is_number(); });
  });
}

std::set<std::string> Expression::names() const {
  std::set<std::string> names;
  for (const Group& group : groups) {
    for (const Axis& axis : group) {
      names.insert(axis.is_number() ? std::to_string(axis.number) : axis.name);
    }
  }
  return names;
}

Expression parse_expression(std::string_view text, Accepted accepted) {
  if (text.size() > 4096) throw Mistake::of("ValueError", "this pattern is too long");
  return ExpressionReader(accepted).read(text);
}

std::pair<std::string, std::string> sides_of(std::string_view pattern) {
  const std::size_t arrow = pattern.find("->");
  if (arrow == pattern.npos) {
    throw Mistake::of("ValueError", fmt::format("the pattern \"{}\" has no '->'", pattern),
                      "write both sides: \"b c -> c b\"");
  }
  const std::string_view right = pattern.substr(arrow + 2);
  if (right.find("->") != right.npos) {
    throw Mistake::of("ValueError", fmt::format("the pattern \"{}\" has several '->'", pattern));
  }
  return {std::string(pattern.substr(0, arrow)), std::string(right)};
}

std::string fault_of_axis_name(std::string_view name) {
  if (name.empty() || syntax::name_length(name) != name.size()) {
    return "an axis has a name as a variable has, or a number";
  }
  if (name.front() == '_' || name.back() == '_') {
    return "the name of an axis neither starts nor ends with an underscore";
  }
  return "";
}

std::string set_text(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name);
  }
  return "{" + text + "}";
}

PackPattern parse_pack_pattern(const std::string& pattern, const std::string& function) {
  const auto fault = [&](const std::string& problem) {
    refuse(fmt::format("{} in {}(..., \"{}\")", problem, function, pattern));
  };
  std::vector<std::string> axes;
  constexpr const char* kSpaces = " \t\n\r\f\v";
  for (std::size_t at = 0; (at = pattern.find_first_not_of(kSpaces, at)) != pattern.npos;) {
    const std::size_t end = std::min(pattern.find_first_of(kSpaces, at), pattern.size());
    axes.push_back(pattern.substr(at, end - at));
    at = end;
  }
  if (std::set<std::string>(axes.begin(), axes.end()).size() != axes.size()) {
    fault("Duplicates in axes names");
  }
  const auto star = std::find(axes.begin(), axes.end(), "*");
  if (star == axes.end()) fault("No *-axis");
  for (const std::string& axis : axes) {
    if (axis != "*" && !fault_of_axis_name(axis).empty()) fault("Invalid axis name " + axis);
  }
  return {static_cast<std::size_t>(star - axes.begin()),
          static_cast<std::size_t>(axes.end() - star) - 1};
}

std::string einsum_equation(const std::string& pattern) {
  if (pattern.find("->") == pattern.npos) {
    throw Mistake::of("ValueError", "Einsum pattern must contain '->'.");
  }
  const auto [left, right] = sides_of(pattern);
  std::vector<std::string> names;
  std::string equation;
  for (std::size_t begin = 0; begin <= left.size();) {
    const std::size_t end = std::min(left.find(',', begin), left.size());
    equation +=
        letters_of(std::string_view(left).substr(begin, end - begin), names, false, pattern);
    equation += end < left.size() ? "," : "->";
    begin = end + 1;
  }
  return equation + letters_of(right, names, true, pattern);
}

}  // namespace knead::engine::model::einops
