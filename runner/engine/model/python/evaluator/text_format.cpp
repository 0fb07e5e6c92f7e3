#include <charconv>

#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/text.h"
#include "runner/engine/model/python/words/number_text.h"

namespace knead::engine::model {

namespace {

/// Provides the values of "%d %s" % … one after the other.
class Taken {
 public:
  explicit Taken(const Value& value) {
    const auto* tuple = as<Tuple>(value);
    values_ = tuple ? (*tuple)->items : Values{value};
  }
  const Value& next() {
    if (place_ == values_.size()) throw Mistake("not enough arguments for format string");
    return values_[place_++];
  }
  void done() const {
    if (place_ < values_.size()) {
      throw Mistake("not all arguments converted during string formatting");
    }
  }

 private:
  Values values_;
  std::size_t place_ = 0;
};

/// Formats one value by the flags, width and precision between % and the letter.
std::string converted(Evaluator& evaluator, const Value& value, std::string options, char letter) {
  // Converts printf flags to a format specification: `-` becomes `<`, and a text is right-aligned
  // by default.
  const bool left = options.find('-') != std::string::npos;
  std::erase(options, '-');
  if (letter == 's' || letter == 'r') {
    const std::string text = letter == 's' ? evaluator.text(value) : evaluator.repr(value);
    return formatted(evaluator, text, (left ? "<" : ">") + options);
  }
  if (!is_number(value)) {
    throw Mistake(
        fmt::format("%{} format: a real number is required, not {}", letter, type_name(value)));
  }
  const bool whole = letter == 'd' || letter == 'i' || letter == 'u';
  if (!whole) return formatted(evaluator, value, (left ? "<" : "") + options + letter);
  const auto number =
      is_integer(value) ? integer_of(value) : static_cast<std::int64_t>(float_of(value));
  return formatted(evaluator, number, (left ? "<" : "") + options + "d");
}

}  // namespace

std::string percent_format(Evaluator& evaluator, const std::string& text, const Value& value) {
  static constexpr std::string_view kOptions = "0123456789.-+ #";
  static constexpr std::string_view kLetters = "srdiufFeEgGxXo";
  std::string result;
  Taken values(value);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    const std::size_t begin = i + 1;
    const std::size_t end = text.find_first_not_of(kOptions, begin);
    if (end == std::string::npos) throw Mistake("incomplete format");
    i = end;
    if (text[end] == '%') {
      result += '%';
      continue;
    }
    if (kLetters.find(text[end]) == std::string_view::npos) {
      throw Mistake(fmt::format("unsupported format character '{}'", text[end]));
    }
    const std::string part =
        converted(evaluator, values.next(), text.substr(begin, end - begin), text[end]);
    evaluator.spend(static_cast<std::int64_t>(part.size() / 8) + 1);
    result += part;
  }
  // Python does not count the fields that a dict fills.
  if (!as<Dict>(value)) values.done();
  return result;
}

namespace {

/// Returns the argument that a field of "{0} {name}".format(…) names.
Value argument_of(Evaluator& evaluator, std::string_view field, const Arguments& arguments,
                  std::size_t& next) {
  const std::size_t end = std::min(field.find_first_of(".["), field.size());
  const std::string name(field.substr(0, end));
  if (end < field.size() && field[end] == '[') {
    throw Mistake("'[' in a field of format() is not part of the language of models",
                  "use an f-string");
  }
  std::optional<Value> value;
  std::size_t place = 0;
  const bool numbered = std::from_chars(name.data(), name.data() + name.size(), place).ptr ==
                        name.data() + name.size();
  if (numbered) {
    if (name.empty()) place = next++;
    if (place >= arguments.positional.size()) {
      throw Mistake(
          fmt::format("Replacement index {} out of range for positional args tuple", place));
    }
    value = arguments.positional[place];
  } else {
    for (const auto& [known, given] : arguments.named) {
      if (known == name) value = given;
    }
  }
  if (!value) throw Mistake("KeyError: " + quoted_text(name));
  return end == field.size() ? *value
                             : evaluator.attribute(*value, std::string(field.substr(end + 1)));
}

}  // namespace

std::string brace_format(Evaluator& evaluator, const std::string& text,
                         const Arguments& arguments) {
  std::string result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool twice = i + 1 < text.size() && text[i + 1] == text[i];
    if ((text[i] == '{' || text[i] == '}') && twice) {
      result += text[i++];
    } else if (text[i] == '}') {
      throw Mistake("Single '}' encountered in format string");
    } else if (text[i] == '{') {
      const std::size_t end = text.find('}', i);
      if (end == std::string::npos) throw Mistake("expected '}' before end of string");
      const std::string_view field(text.data() + i + 1, end - i - 1);
      const std::size_t colon = std::min(field.find(':'), field.size());
      const std::string_view spec = colon < field.size() ? field.substr(colon + 1) : "";
      const std::string part = formatted(
          evaluator, argument_of(evaluator, field.substr(0, colon), arguments, next), spec);
      evaluator.spend(static_cast<std::int64_t>(part.size() / 8) + 1);
      result += part;
      i = end;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace knead::engine::model
