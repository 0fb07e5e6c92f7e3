#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ATen/ops/diag.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/kron.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>
#include <ATen/ops/zeros.h>

#include "runner/engine/model/python/numpy/accumulate.h"
#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/elementwise.h"
#include "runner/engine/model/python/numpy/functions.h"
#include "runner/engine/model/python/numpy/linear_algebra.h"

namespace knead::engine::model::numpy {

namespace {

/// Implements np.dot: a product of numbers or matrices.
Value dot(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("dot", arguments, {"a", "b"}, 2);
  const at::Tensor a = operand_of(evaluator, bound[0]).numbers;
  const at::Tensor b = operand_of(evaluator, bound[1]).numbers;
  if (a.dim() == 0 || b.dim() == 0) {
    return binary_function(evaluator, "multiply", bound[0], bound[1]);
  }
  if (a.dim() > 2 && b.dim() > 1) {
    throw Mistake("dot() of arrays with more than two dimensions is not available to models",
                  "write a @ b");
  }
  return matrix_product(evaluator, bound[0], bound[1]);
}

Value matmul(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("matmul", arguments, {"x1", "x2"}, 2);
  return matrix_product(evaluator, bound[0], bound[1]);
}

Value outer(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("outer", arguments, {"a", "b"}, 2);
  const at::Tensor a = array_of(evaluator, bound[0]).reshape({-1, 1});
  const at::Tensor b = array_of(evaluator, bound[1]).reshape({1, -1});
  return binary_function(evaluator, "multiply", make_array(a), make_array(b));
}

Value kron(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("kron", arguments, {"a", "b"}, 2);
  const Operand a = operand_of(evaluator, bound[0]);
  const Operand b = operand_of(evaluator, bound[1]);
  spend_array(evaluator, {a.numbers.numel(), b.numbers.numel()});
  const c10::ScalarType type = result_type({a, b});
  return result_of(at::kron(a.numbers.to(type).contiguous(), b.numbers.to(type).contiguous()));
}

/// Implements triu and tril, which keep the dtype.
template <bool is_upper>
Value triangle(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound(is_upper ? "triu" : "tril", arguments, {"m", "k"}, 1);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  const std::int64_t k = bound.has(1) ? to_integer(bound[1]) : 0;
  // A list of numbers stands for rows that are all equal.
  if (numbers.dim() == 1) numbers = numbers.expand({numbers.size(0), numbers.size(0)});
  if (numbers.dim() == 0) throw Mistake("triu() and tril() take a matrix");
  spend_array(evaluator, numbers.sizes());
  return make_array(is_upper ? at::triu(numbers, k) : at::tril(numbers, k));
}

Value tri(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("tri", arguments, {"N", "M", "k", "dtype"}, 1);
  const std::int64_t rows = to_integer(bound[0]);
  const std::int64_t columns = is_none(bound.or_none(1)) ? rows : to_integer(bound[1]);
  spend_array(evaluator, {rows, columns});
  const at::Tensor ones = at::zeros({rows, columns}, at::kDouble).add(1);
  return make_array(at::tril(ones, bound.has(2) ? to_integer(bound[2]) : 0)
                        .to(to_array_type(bound.or_none(3)).value_or(at::kDouble)));
}

/// Implements triu_indices and tril_indices.
template <bool is_upper>
Value triangle_places(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("triu_indices", arguments, {"n", "k", "m"}, 1);
  const std::int64_t rows = to_integer(bound[0]);
  const std::int64_t columns = is_none(bound.or_none(2)) ? rows : to_integer(bound[2]);
  const std::int64_t k = bound.has(1) ? to_integer(bound[1]) : 0;
  spend_array(evaluator, {rows, columns});
  const at::Tensor ones = at::zeros({rows, columns}, at::kLong).add(1);
  Values made;
  const at::Tensor places = (is_upper ? at::triu(ones, k) : at::tril(ones, k)).nonzero();
  for (const at::Tensor& one : places.unbind(1)) made.push_back(make_array(one.contiguous()));
  return make_tuple(std::move(made));
}

/// Implements diag: the diagonal of a matrix, or a matrix with this diagonal.
Value diag(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("diag", arguments, {"v", "k"}, 1);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  const std::int64_t k = bound.has(1) ? to_integer(bound[1]) : 0;
  if (numbers.dim() != 1 && numbers.dim() != 2) {
    throw Mistake::of("ValueError", "Input must be 1- or 2-d.");
  }
  const std::int64_t size = numbers.size(0) + std::abs(k);
  if (numbers.dim() == 1) spend_array(evaluator, {size, size});
  return make_array(at::diag(numbers, k));
}

Value diagonal(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("diagonal", arguments, {"a", "offset", "axis1", "axis2"}, 1);
  const auto number = [&](std::size_t i, std::int64_t otherwise) {
    return bound.has(i) ? to_integer(bound[i]) : otherwise;
  };
  return make_array(
      array_of(evaluator, bound[0]).diagonal(number(1, 0), number(2, 0), number(3, 1)));
}

Value trace(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("trace", arguments, {"a", "offset"}, 1);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  if (numbers.dim() != 2) throw Mistake("trace() takes a matrix");
  const at::Tensor along = numbers.diagonal(bound.has(1) ? to_integer(bound[1]) : 0).contiguous();
  const c10::ScalarType type = is_whole(along.scalar_type()) ? at::kLong : along.scalar_type();
  return result_of(ordered_sum(along.to(type), {0}));
}

Value cross(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("cross", arguments, {"a", "b"}, 2);
  const Operand a = operand_of(evaluator, bound[0]);
  const Operand b = operand_of(evaluator, bound[1]);
  if (a.numbers.dim() == 0 || a.numbers.size(-1) != 3 || b.numbers.dim() == 0 ||
      b.numbers.size(-1) != 3) {
    throw Mistake("cross() takes vectors of three numbers");
  }
  const c10::ScalarType type = result_type({a, b});
  const at::Tensor x = a.numbers.to(type);
  const at::Tensor y = b.numbers.to(type);
  broadcast_shape({x, y});
  std::vector<at::Tensor> parts;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t j = (i + 1) % 3;
    const std::int64_t k = (i + 2) % 3;
    parts.push_back(x.select(-1, j).mul(y.select(-1, k)).sub(x.select(-1, k).mul(y.select(-1, j))));
  }
  return make_array(at::stack(parts, -1));
}

Value einsum(Evaluator& evaluator, const Arguments& arguments) {
  if (arguments.positional.size() < 2 || !arguments.named.empty()) {
    throw Mistake("einsum() takes a text and arrays here");
  }
  std::vector<Operand> operands;
  for (std::size_t i = 1; i < arguments.positional.size(); ++i) {
    operands.push_back(operand_of(evaluator, arguments.positional[i]));
    evaluator.spend(operands.back().numbers.numel() / 8 + 1);
  }
  const c10::ScalarType type = result_type(operands);
  std::vector<at::Tensor> numbers;
  for (const Operand& operand : operands) numbers.push_back(operand.numbers.to(type));
  return result_of(at::einsum(to_text(arguments.positional[0], "the subscripts"), numbers));
}

}  // namespace

void add_matrices(const Library& library) {
  const std::pair<const char*, Method> functions[] = {{"matmul", matmul},
                                                      {"outer", outer},
                                                      {"kron", kron},
                                                      {"triu", triangle<true>},
                                                      {"tril", triangle<false>},
                                                      {"tri", tri},
                                                      {"diag", diag},
                                                      {"triu_indices", triangle_places<true>},
                                                      {"cross", cross},
                                                      {"tril_indices", triangle_places<false>},
                                                      {"einsum", einsum}};
  for (const auto& [name, function] : functions) library.function(name, function);
  library.function_and_method("dot", dot);
  library.function_and_method("diagonal", diagonal);
  library.function_and_method("trace", trace);
}

}  // namespace knead::engine::model::numpy
