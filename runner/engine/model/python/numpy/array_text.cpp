#include "runner/engine/model/python/numpy/array_text.h"

#include <algorithm>
#include <cmath>

#include <ATen/ops/cat.h>
#include <fmt/format.h>

#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/float_digits.h"

namespace knead::engine::model::numpy {

namespace {

constexpr std::int64_t kWholeArray = 1000;  // items; of a larger array the ends are shown
constexpr std::int64_t kEnds = 3;
constexpr std::size_t kLineWidth = 75;

/// Formats each number of an array with one width.
class NumberFormat {
 public:
  NumberFormat(const at::Tensor& shown) : type_(shown.scalar_type()) {
    const at::Tensor flat = shown.reshape({-1});
    for (std::int64_t i = 0; i < flat.numel(); ++i) numbers_.push_back(flat[i].item<double>());
    if (is_float(type_)) fit_floats();
    if (type_ == at::kBool) left_ = 5;  // that of False, also where all are True
    if (!is_float(type_)) {
      for (std::int64_t i = 0; i < flat.numel(); ++i) {
        left_ = std::max(left_, whole_text(flat[i]).size());
      }
      // NumPy keeps a column for the longer word of the two.
      if (type_ == at::kBool && shown.dim() > 0) left_ = std::string_view("False").size();
    }
  }

  std::string text(const at::Tensor& number) const {
    if (!is_float(type_)) return fmt::format("{:>{}}", whole_text(number), left_);
    const auto value = number.item<double>();
    if (!std::isfinite(value)) {
      const std::size_t exponent = is_scientific_ ? exponent_ + 2 : 0;
      const std::size_t width = left_ + right_ + (has_point_ ? 1 : 0) + exponent;
      return fmt::format("{:>{}}", non_finite(value), width);
    }
    if (is_scientific_) return scientific(value);
    const std::string text = positional_text(value, type_);
    const std::size_t point = text.find('.');
    const std::string behind = text.substr(point + 1);
    return fmt::format("{:>{}}.{:<{}}", text.substr(0, point), left_, behind, right_);
  }

 private:
  static std::string non_finite(double value) {
    return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  }

  /// Returns the number from which on all are shown with an exponent.
  double largest_plain() const {
    if (type_ == at::kHalf) return 1e3;
    return type_ == at::kFloat ? 1e6 : 1e8;
  }

  std::string whole_text(const at::Tensor& number) const {
    if (type_ == at::kBool) return number.item<bool>() ? "True" : "False";
    return std::to_string(number.item<std::int64_t>());
  }

  std::string scientific(double value) const {
    std::string text = scientific_text(value, type_);
    std::size_t point = text.find('.');
    std::size_t e = text.find('e');
    if (e - point - 1 < right_) {
      // All numbers get as many digits as the longest one: those of its exact value.
      text = fmt::format("{:#.{}e}", value, right_);
      point = text.find('.');
      e = text.find('e');
    }
    const std::string behind = text.substr(point + 1, e - point - 1);
    std::string exponent = text.substr(e + 2);
    exponent.insert(0, exponent_ - std::min(exponent_, exponent.size()), '0');
    return fmt::format("{:>{}}.{}{}{}", text.substr(0, point), left_, behind, text.substr(e, 2),
                       exponent);
  }

  void fit_floats() {
    double most = 0;
    double least = std::numeric_limits<double>::infinity();
    bool any_finite = false;
    for (const double number : numbers_) {
      if (!std::isfinite(number)) continue;
      any_finite = true;
      if (number == 0) continue;
      most = std::max(most, std::abs(number));
      least = std::min(least, std::abs(number));
    }
    has_point_ = any_finite;
    is_scientific_ = most > 0 && (most >= largest_plain() || least < 1e-4 || most / least > 1000);
    for (const double number : numbers_) {
      if (std::isfinite(number)) fit(number);
    }
    std::size_t extra = right_ + (has_point_ ? 1 : 0);
    if (is_scientific_) extra = right_ + exponent_ + 3;
    for (const double number : numbers_) {
      if (std::isfinite(number)) continue;
      const std::size_t width = non_finite(number).size();
      if (width > extra) left_ = std::max(left_, width - extra);
    }
  }

  void fit(double number) {
    const std::string text =
        is_scientific_ ? scientific_text(number, type_) : positional_text(number, type_);
    const std::size_t point = text.find('.');
    const std::size_t e = is_scientific_ ? text.find('e') : text.size();
    left_ = std::max(left_, point);
    right_ = std::max(right_, e - point - 1);
    if (is_scientific_) exponent_ = std::max(exponent_, text.size() - e - 2);
  }

  c10::ScalarType type_;
  std::vector<double> numbers_;
  bool is_scientific_ = false;
  bool has_point_ = true;
  std::size_t left_ = 0;      // letters before the point
  std::size_t right_ = 0;     // letters between the point and the exponent
  std::size_t exponent_ = 0;  // digits of the exponent
};

/// Lays out the numbers of an array in lines.
struct Layout {
  const NumberFormat& format;
  std::string separator;  // ", " or " "
  bool is_summary;

  /// Appends a word to the line, or begins another one if it is too long.
  static void extend(std::string& text, std::string& line, const std::string& word,
                     std::size_t width, const std::string& indent) {
    if (line.size() + word.size() > width && line.size() > indent.size()) {
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
      line = indent;
    }
    line += word;
  }

  std::string row(const at::Tensor& array, const std::string& indent, std::size_t width) const {
    const std::size_t bare = separator == ", " ? 1 : 0;
    const std::size_t most = width - std::max<std::size_t>(bare, 1);
    std::string text;
    std::string line = indent;
    const std::int64_t size = array.size(0);
    const bool is_short = !is_summary || size <= 2 * kEnds;
    for (std::int64_t i = 0; i < size; ++i) {
      if (!is_short && i == kEnds) {
        extend(text, line, "...", most, indent);
        line += separator;
        i = size - kEnds;
      }
      extend(text, line, format.text(array[i]), most, indent);
      if (i + 1 < size) line += separator;
    }
    return text + line;
  }

  std::string of(const at::Tensor& array, const std::string& indent, std::size_t width) const {
    if (array.dim() == 0) return format.text(array);
    std::string text;
    if (array.dim() == 1) {
      text = row(array, indent, width);
    } else {
      const std::string bare = separator == ", " ? "," : "";
      const std::string between =
          bare + std::string(static_cast<std::size_t>(array.dim() - 1), '\n');
      const std::int64_t size = array.size(0);
      const bool is_short = !is_summary || size <= 2 * kEnds;
      for (std::int64_t i = 0; i < size; ++i) {
        if (!is_short && i == kEnds) {
          text += indent + "..." + between;
          i = size - kEnds;
        }
        text += indent + of(array[i], indent + " ", width - 1);
        if (i + 1 < size) text += between;
      }
    }
    return "[" + text.substr(std::min(indent.size(), text.size())) + "]";
  }
};

/// Returns the items that are shown of an array: its ends along each long dimension.
at::Tensor shown_of(at::Tensor numbers) {
  if (numbers.numel() <= kWholeArray) return numbers;
  for (std::int64_t i = 0; i < numbers.dim(); ++i) {
    const std::int64_t size = numbers.size(i);
    if (size <= 2 * kEnds) continue;
    numbers = at::cat({numbers.slice(i, 0, kEnds), numbers.slice(i, size - kEnds, size)}, i);
  }
  return numbers;
}

std::string array_as_text(Evaluator& evaluator, const at::Tensor& numbers,
                          const std::string& separator, std::size_t prefix, std::size_t width) {
  if (numbers.numel() == 0) return "[]";
  const at::Tensor shown = shown_of(numbers);
  evaluator.spend(shown.numel() * 8);
  const NumberFormat format(shown);
  const Layout layout{format, separator, numbers.numel() > kWholeArray};
  return layout.of(numbers, std::string(prefix + 1, ' '), width);
}

std::string scalar_text(const ArrayScalar& scalar) {
  if (const auto* flag = std::get_if<bool>(&scalar.number)) return *flag ? "True" : "False";
  if (const auto* whole = std::get_if<std::int64_t>(&scalar.number)) return std::to_string(*whole);
  return number_text(std::get<double>(scalar.number), scalar.type);
}

}  // namespace

std::string str_of(Evaluator& evaluator, const Value& value) {
  if (const auto* scalar = std::get_if<ArrayScalar>(&value)) return scalar_text(*scalar);
  const at::Tensor& numbers = (*as<Array>(value))->numbers;
  if (numbers.dim() == 0) return scalar_text(scalar_of(numbers));
  return array_as_text(evaluator, numbers, " ", 0, kLineWidth);
}

std::string repr_of(Evaluator& evaluator, const Value& value) {
  if (const auto* scalar = std::get_if<ArrayScalar>(&value)) {
    if (scalar->type == at::kBool) return "np." + scalar_text(*scalar) + "_";
    return fmt::format("np.{}({})", array_type_name(scalar->type), scalar_text(*scalar));
  }
  static constexpr std::string_view kBegin = "array(";
  const at::Tensor& numbers = (*as<Array>(value))->numbers;
  const c10::ScalarType type = numbers.scalar_type();
  std::string text =
      std::string(kBegin) + array_as_text(evaluator, numbers, ", ", kBegin.size(), kLineWidth - 1);
  std::vector<std::string> extras;
  const bool is_summary = numbers.numel() > kWholeArray;
  const bool has_shape = is_summary || (numbers.numel() == 0 && numbers.dim() != 1);
  if (has_shape) extras.push_back("shape=" + evaluator.repr(shape_value(numbers.sizes())));
  const bool is_implied = type == at::kDouble || type == at::kLong || type == at::kBool;
  if (!is_implied || numbers.numel() == 0) {
    extras.push_back(fmt::format("dtype={}", array_type_name(type)));
  }
  if (extras.empty()) return text + ")";
  const std::string more = fmt::format("{})", fmt::join(extras, ", "));
  const std::size_t line = text.size() - (text.rfind('\n') + 1);
  const bool wraps = line + more.size() + 1 > kLineWidth;
  const std::string between = wraps ? "\n" + std::string(kBegin.size(), ' ') : " ";
  return text + "," + between + more;
}

}  // namespace knead::engine::model::numpy
