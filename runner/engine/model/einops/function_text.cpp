#include "runner/engine/model/einops/function_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/einops/list_text.h"
#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model::einops {
namespace {

/// Writes the function of one plan. Lists of sizes with an ellipsis are sums: `[axis_0] + rest`.
class FunctionWriter {
 public:
  FunctionWriter(const Plan& plan, const CallForm& form) : plan_(plan), form_(form) {}

  std::string write();

 private:
  void line(const std::string& text) { text_ += "    " + text + "\n"; }
  /// Writes a check: raises the sentence, whose {} are the numbers, if the condition holds.
  void refuse_if(const std::string& condition, const std::string& sentence,
                 const std::string& numbers);
  void write_head();
  void check_dimensions();
  void read_lengths();
  void read_lengths(std::size_t place);
  void split();
  void permute();
  void reduce();
  void expand();
  void merge();

  bool is_ellipsis(AxisIndex axis) const { return plan_.axes[axis].is_ellipsis(); }
  /// Returns the place of the ellipsis among the axes of the input, where `axis_at` gives the axis
  /// at a place; the number of axes if there is none.
  template <class AxisAt>
  std::size_t ellipsis_in(const AxisAt& axis_at) const {
    std::size_t place = 0;
    while (place < plan_.input_axes && !is_ellipsis(axis_at(place))) ++place;
    return place;
  }
  /// Returns whether the sizes of the axes are needed beyond the checks.
  bool needs_lengths() const { return plan_.splits_input() || plan_.merges_output(); }
  /// Returns the number or the variable that holds the length of an axis.
  std::string length_of(AxisIndex axis) const;
  /// Returns the product of the lengths of axes; 1 for none.
  std::string product_of(const std::vector<AxisIndex>& axes) const;
  /// Returns the size of a dimension of the input as an expression.
  std::string size_at(std::size_t place) const;
  /// Returns a list expression with `item` for each axis; `rest` stands for the ellipsis.
  template <class Item>
  std::string list_of(const std::vector<AxisIndex>& axes, const std::string& rest,
                      const Item& item) const;

  const Plan& plan_;
  const CallForm& form_;
  std::string text_;
};

std::string FunctionWriter::length_of(AxisIndex axis) const {
  const Axis& one = plan_.axes[axis];
  if (one.is_number()) return std::to_string(one.number);
  const auto constant = form_.constants.find(one.name);
  if (constant != form_.constants.end()) return std::to_string(constant->second);
  return fmt::format("axis_{}", axis);
}

std::string FunctionWriter::product_of(const std::vector<AxisIndex>& axes) const {
  std::int64_t number = 1;
  std::string text;
  for (const AxisIndex axis : axes) {
    const std::string length = is_ellipsis(axis) ? "rest_product" : length_of(axis);
    if (length.find_first_not_of("-0123456789") == length.npos) {
      number *= std::stoll(length);
    } else {
      text += (text.empty() ? "" : " * ") + length;
    }
  }
  if (text.empty()) return std::to_string(number);
  return number == 1 ? text : fmt::format("{} * {}", text, number);
}

std::string FunctionWriter::size_at(std::size_t place) const {
  const bool is_behind = plan_.ellipsis && place > *plan_.ellipsis;
  const auto from_end =
      static_cast<std::int64_t>(place) - static_cast<std::int64_t>(plan_.input.size());
  return is_behind ? fmt::format("x.size({})", from_end) : fmt::format("x.size({})", place);
}

template <class Item>
std::string FunctionWriter::list_of(const std::vector<AxisIndex>& axes, const std::string& rest,
                                    const Item& item) const {
  ListText list;
  for (const AxisIndex axis : axes) {
    if (is_ellipsis(axis)) {
      list.add_list(rest);
    } else {
      list.add_item(item(axis));
    }
  }
  return list.text();
}

void FunctionWriter::refuse_if(const std::string& condition, const std::string& sentence,
                               const std::string& numbers) {
  line(fmt::format("if {}:", condition));
  const std::string message = shape_message_start(plan_) + sentence;
  std::string quoted;
  for (const char letter : message) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  line(fmt::format("    raise EinopsError(\"{}\".format(x.size(){}))", quoted,
                   numbers.empty() ? "" : ", " + numbers));
}

void FunctionWriter::write_head() {
  text_ = form_.takes_list ? "def transform(tensors: List[Tensor]" : "def transform(x: Tensor";
  for (const AxisIndex axis : arguments_of(plan_, form_)) {
    text_ += fmt::format(", {}: int", length_of(axis));
  }
  text_ += ") -> Tensor:\n";
  if (form_.takes_list) line("x = torch.stack(tensors)");
}

void FunctionWriter::check_dimensions() {
  const std::size_t fixed = plan_.fixed_dimensions();
  const std::string numbers = fmt::format("{}, x.dim()", fixed);
  if (!plan_.ellipsis) {
    refuse_if(fmt::format("x.dim() != {}", fixed), kWrongDimensions, numbers);
  } else if (fixed > 0) {
    refuse_if(fmt::format("x.dim() < {}", fixed), kTooFewDimensions, numbers);
  }
}

void FunctionWriter::read_lengths() {
  if (plan_.ellipsis) {
    line(fmt::format("count = x.dim() - {}", plan_.fixed_dimensions()));
    const std::size_t behind = plan_.input.size() - *plan_.ellipsis - 1;
    line(fmt::format("rest = x.size()[{}:{}]", *plan_.ellipsis,
                     behind == 0 ? "" : fmt::format("-{}", behind)));
  }
  for (std::size_t place = 0; place < plan_.input.size(); ++place) read_lengths(place);
}

void FunctionWriter::read_lengths(std::size_t place) {
  const InputDimension& dimension = plan_.input[place];
  if (dimension.is_ellipsis) return;
  const std::string size = size_at(place), known = product_of(dimension.known);
  if (!dimension.unknown) {
    refuse_if(fmt::format("{} != {}", size, known), kWrongLength, size + ", " + known);
    return;
  }
  if (known == "0") {
    throw Mistake::of("EinopsError",
                      fmt::format("{}: a length of 0 cannot divide an axis",
                                  pattern_message_start(plan_.operation, plan_.pattern)));
  }
  if (known != "1") {
    const bool is_constant = known.find("axis") == known.npos;
    const std::string zero = is_constant ? "" : fmt::format("{} == 0 or ", known);
    refuse_if(fmt::format("{}{} % ({}) != 0", zero, size, known), kWrongDivision,
              size + ", " + known);
  }
  if (!needs_lengths()) return;
  const std::string share = known == "1" ? size : fmt::format("{} // ({})", size, known);
  line(fmt::format("{} = {}", length_of(*dimension.unknown), share));
}

void FunctionWriter::split() {
  if (!plan_.splits_input()) return;
  std::vector<AxisIndex> axes(plan_.input_axes);
  for (AxisIndex axis = 0; axis < axes.size(); ++axis) axes[axis] = axis;
  line(fmt::format("x = x.reshape({})",
                   list_of(axes, "rest", [&](AxisIndex axis) { return length_of(axis); })));
}

void FunctionWriter::permute() {
  if (!plan_.permutes()) return;
  // The place of an axis before or after the permutation: counted from the end behind the ellipsis.
  const auto place = [&](AxisIndex axis, AxisIndex ellipsis) {
    const auto from_begin = static_cast<std::int64_t>(axis);
    const auto all = static_cast<std::int64_t>(plan_.input_axes);
    return std::to_string(axis > ellipsis ? from_begin - all : from_begin);
  };
  ListText from, to;
  const auto before = ellipsis_in([](std::size_t i) { return i; });
  const auto after = ellipsis_in([&](std::size_t i) { return plan_.order[i]; });
  for (std::size_t i = 0; i < plan_.order.size(); ++i) {
    if (is_ellipsis(plan_.order[i])) continue;
    from.add_item(place(plan_.order[i], before));
    to.add_item(place(i, after));
  }
  // movedim() keeps the order of the dimensions that it is not told of: those of the ellipsis.
  line(plan_.ellipsis ? fmt::format("x = x.movedim({}, {})", from.text(), to.text())
                      : fmt::format("x = x.permute({})", from.text()));
}

void FunctionWriter::reduce() {
  const std::size_t reduced = plan_.order.size() - plan_.kept;
  if (reduced == 0) return;
  const std::string& operation = plan_.operation;
  const bool is_open = plan_.reduces_ellipsis();
  // These reduce one dimension at a time, the last one first.
  if (operation == "prod" || operation == "any" || operation == "all") {
    if (is_open) {
      line(fmt::format("while x.dim() > {}:", plan_.kept));
      return line(fmt::format("    x = x.{}(dim=-1)", operation));
    }
    for (std::size_t i = 0; i < reduced; ++i) line(fmt::format("x = x.{}(dim=-1)", operation));
    return;
  }
  // The ellipsis may stand for no dimension, and without dimensions nothing is reduced.
  if (is_open) line(fmt::format("if x.dim() > {}:", plan_.kept));
  const std::string indent = is_open ? "    " : "";
  if (operation == "mean") {
    line(indent + "if not x.is_floating_point():");
    line(indent + "    raise NotImplementedError(\"" + kMeanOfIntegers + "\")");
  }
  ListText dimensions;
  for (std::size_t i = reduced; !is_open && i > 0; --i) dimensions.add_item(fmt::format("-{}", i));
  if (is_open) dimensions.add_list(fmt::format("[i for i in range({}, x.dim())]", plan_.kept));
  const std::string name = operation == "min" || operation == "max" ? "a" + operation : operation;
  line(fmt::format("{}x = x.{}(dim={})", indent, name, dimensions.text()));
}

void FunctionWriter::expand() {
  const auto axes = plan_.output_axes();
  bool is_behind = false, is_wider = false;
  for (std::size_t place = 0; place < axes.size(); ++place) {
    if (plan_.is_new(axes[place])) {
      line(is_behind ? fmt::format("x = x.unsqueeze(count + {})", place - 1)
                     : fmt::format("x = x.unsqueeze({})", place));
      is_wider = true;
    }
    is_behind = is_behind || is_ellipsis(axes[place]);
  }
  if (!is_wider) return;
  line(fmt::format("x = x.expand({})", list_of(axes, "[-1] * count", [&](AxisIndex axis) {
                     return plan_.is_new(axis) ? length_of(axis) : "-1";
                   })));
}

void FunctionWriter::merge() {
  if (!plan_.merges_output()) return;
  if (plan_.merges_ellipsis) {
    line("rest_product = 1");
    line("for size in rest:");
    line("    rest_product *= size");
  }
  ListText sizes;
  for (const auto& dimension : plan_.output) {
    const bool is_rest = dimension.size() == 1 && is_ellipsis(dimension.front());
    if (is_rest && !plan_.merges_ellipsis) {
      sizes.add_list("rest");
    } else {
      sizes.add_item(product_of(dimension));
    }
  }
  line(fmt::format("x = x.reshape({})", sizes.text()));
}

std::string FunctionWriter::write() {
  write_head();
  check_dimensions();
  read_lengths();
  split();
  permute();
  reduce();
  expand();
  merge();
  line("return x");
  return std::move(text_);
}

}  // namespace

std::vector<AxisIndex> arguments_of(const Plan& plan, const CallForm& form) {
  std::vector<AxisIndex> axes;
  for (AxisIndex axis = 0; axis < plan.axes.size(); ++axis) {
    const bool is_read =
        std::any_of(plan.input.begin(), plan.input.end(),
                    [&](const InputDimension& dimension) { return dimension.unknown == axis; });
    const Axis& one = plan.axes[axis];
    if (!is_read && !one.is_number() && !form.constants.contains(one.name)) axes.push_back(axis);
  }
  return axes;
}

std::string function_text(const Plan& plan, const CallForm& form) {
  return FunctionWriter(plan, form).write();
}

}  // namespace knead::engine::model::einops
