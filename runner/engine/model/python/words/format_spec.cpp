#include "runner/engine/model/python/words/format_spec.h"

#include <fmt/format.h>

#include "runner/engine/model/values/mistake.h"
#include "schema/document/source.h"

namespace knead::engine::model {

namespace {

/// The limit of width and precision, which keeps a format from filling the memory.
constexpr int kMost = 10'000;

bool is_align(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

/// Reads the parts of a specification in order.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  void fill(FormatSpec& spec) {
    std::size_t first = rest_.empty() ? 0 : 1;
    // The fill may be several bytes long: 0b10xxxxxx is a continuation byte of UTF-8.
    while (first < rest_.size() && (rest_[first] & 0xc0) == 0x80) ++first;
    if (first < rest_.size() && is_align(rest_[first])) {
      spec.fill = rest_.substr(0, first);
      spec.align = rest_[first];
      rest_.remove_prefix(first + 1);
    } else if (!rest_.empty() && is_align(rest_[0])) {
      spec.align = take();
    }
  }

  char one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_[0]) == std::string_view::npos) return 0;
    return take();
  }

  std::optional<int> number() {
    std::optional<int> value;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      value = (value ? *value : 0) * 10 + (take() - '0');
      if (*value > kMost) throw Mistake("Too many decimal digits in format string");
    }
    return value;
  }

 private:
  char take() {
    const char c = rest_[0];
    rest_.remove_prefix(1);
    return c;
  }

  std::string_view rest_;
};

}  // namespace

FormatSpec parse_format(std::string_view text, std::string_view type) {
  FormatSpec spec;
  Reader reader(text);
  reader.fill(spec);
  spec.sign = reader.one_of("+- ");
  spec.alternate = reader.one_of("#") != 0;
  // A zero before the width means fill with zeros behind the sign, unless an alignment is given.
  if (reader.one_of("0") != 0 && spec.align == 0) {
    spec.fill = "0";
    spec.align = '=';
  }
  if (const auto width = reader.number()) spec.width = static_cast<std::size_t>(*width);
  spec.grouping = reader.one_of(",_");
  if (reader.one_of(".") != 0) {
    spec.precision = reader.number();
    if (!spec.precision) throw Mistake("Format specifier missing precision");
  }
  spec.type = reader.one_of("bcdeEfFgGnosxX%");
  if (reader.done()) return spec;
  throw Mistake(fmt::format("Invalid format specifier '{}' for object of type '{}'", text, type));
}

std::string padded(const FormatSpec& spec, const std::string& text, char align) {
  const auto size = static_cast<std::size_t>(schema::code_points(text));
  if (size >= spec.width) return text;
  const std::size_t missing = spec.width - size;
  const char side = spec.align == 0 ? align : spec.align;
  const std::size_t before = side == '<' ? 0 : side == '^' ? missing / 2 : missing;
  std::string result;
  for (std::size_t i = 0; i < before; ++i) result += spec.fill;
  result += text;
  for (std::size_t i = before; i < missing; ++i) result += spec.fill;
  return result;
}

void unknown_format(const FormatSpec& spec, std::string_view type) {
  throw Mistake(fmt::format("Unknown format code '{}' for object of type '{}'", spec.type, type));
}

}  // namespace knead::engine::model
