#include "runner/engine/model/python/numpy/linear_algebra.h"

#include <fmt/format.h>

#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_cholesky.h>
#include <ATen/ops/linalg_det.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/linalg_lu.h>
#include <ATen/ops/linalg_norm.h>
#include <ATen/ops/linalg_pinv.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/matmul.h>

#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/functions.h"
#include "runner/engine/model/python/numpy/square_root.h"

namespace knead::engine::model::numpy {

namespace {

/// Returns matrices as floats; linear algebra of float16 and whole numbers is in float64.
at::Tensor matrix_of(Evaluator& evaluator, const Value& value, bool is_square) {
  const at::Tensor numbers = array_of(evaluator, value);
  if (numbers.dim() < 2) {
    throw Mistake::of("LinAlgError", fmt::format("{}-dimensional array given. Array must be at "
                                                 "least two-dimensional",
                                                 numbers.dim()));
  }
  if (is_square && numbers.size(-1) != numbers.size(-2)) {
    throw Mistake::of("LinAlgError", "Last 2 dimensions of the array must be square");
  }
  evaluator.spend(numbers.numel());
  return numbers.scalar_type() == at::kFloat ? numbers : numbers.to(at::kDouble);
}

Value inverse(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("inv", arguments, {"a"}, 1);
  const at::Tensor matrix = matrix_of(evaluator, bound[0], true);
  if (at::linalg_det(matrix).eq(0).any().item<bool>())
    throw Mistake::of("LinAlgError", "Singular matrix");
  return make_array(at::linalg_inv(matrix));
}

Value pseudo_inverse(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("pinv", arguments, {"a"}, 1);
  return make_array(at::linalg_pinv(matrix_of(evaluator, bound[0], false), 1e-15));
}

Value determinant(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("det", arguments, {"a"}, 1);
  return result_of(at::linalg_det(matrix_of(evaluator, bound[0], true)));
}

Value cholesky(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("cholesky", arguments, {"a"}, 1);
  return make_array(at::linalg_cholesky(matrix_of(evaluator, bound[0], true)));
}

Value qr(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("qr", arguments, {"a", "mode"}, 1);
  const std::string mode = bound.has(1) ? to_text(bound[1], "mode") : "reduced";
  if (mode != "reduced" && mode != "complete") {
    throw Mistake("qr() knows the modes 'reduced' and 'complete' here");
  }
  const auto [q, r] = at::linalg_qr(matrix_of(evaluator, bound[0], false), mode);
  return make_tuple({make_array(q), make_array(r)});
}

Value svd(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("svd", arguments, {"a", "full_matrices", "compute_uv"}, 1);
  const at::Tensor matrix = matrix_of(evaluator, bound[0], false);
  const auto [u, s, v] = at::linalg_svd(matrix, bound.flag(1, true));
  if (!bound.flag(2, true)) return make_array(s);
  return make_tuple({make_array(u), make_array(s), make_array(v)});
}

Value eigh(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("eigh", arguments, {"a", "UPLO"}, 1);
  const std::string part = bound.has(1) ? to_text(bound[1], "UPLO") : "L";
  const auto [values, vectors] = at::linalg_eigh(matrix_of(evaluator, bound[0], true), part);
  return make_tuple({make_array(values), make_array(vectors)});
}

Value solve(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("solve", arguments, {"a", "b"}, 2);
  const at::Tensor matrix = matrix_of(evaluator, bound[0], true);
  const at::Tensor right = array_of(evaluator, bound[1]).to(matrix.scalar_type());
  return make_array(at::linalg_solve(matrix, right));
}

/// Implements norm: the root of the sum of squares, and other norms of vectors and matrices.
Value norm(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("norm", arguments, {"x", "ord", "axis", "keepdims"}, 1);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  if (is_whole(numbers.scalar_type())) numbers = numbers.to(at::kDouble);
  evaluator.spend(numbers.numel() / 8 + 1);
  std::optional<std::vector<std::int64_t>> axes;
  if (!is_none(bound.or_none(2))) axes = to_dimensions(evaluator, bound[2], numbers.dim());
  const bool keeps = bound.flag(3, false);
  const Value order = plain(bound.or_none(1));
  const at::OptionalIntArrayRef along = axes ? at::OptionalIntArrayRef(*axes) : std::nullopt;
  if (is_text(order)) {
    return result_of(at::linalg_norm(numbers, std::get<std::string>(order), along, keeps));
  }
  if (is_none(order) && !axes && !keeps) {
    // As in NumPy, the product of the flat array with itself.
    const at::Tensor flat = numbers.reshape({-1});
    return result_of(square_root(flat.mul(flat).sum()));
  }
  std::optional<at::Scalar> number;
  if (!is_none(order)) number = float_of(order);
  return result_of(at::linalg_norm(numbers, number, along, keeps));
}

/// Implements matrix_power, whose products are those of NumPy: squares from the lowest bit up.
Value matrix_power(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("matrix_power", arguments, {"a", "n"}, 2);
  at::Tensor matrix = array_of(evaluator, bound[0]);
  matrix_of(evaluator, bound[0], true);  // checks the shape
  std::int64_t power = to_integer(bound[1]);
  if (power < 0) {
    matrix = at::linalg_inv(matrix_of(evaluator, bound[0], true));
    power = -power;
  }
  const std::int64_t size = matrix.size(-1);
  if (power == 0) return make_array(at::eye(size, matrix.options()).expand_as(matrix).clone());
  const auto times = [&](const at::Tensor& a, const at::Tensor& b) {
    evaluator.spend(a.numel() * size / 8 + 1);
    return at::matmul(a, b);
  };
  if (power == 3) return make_array(times(times(matrix, matrix), matrix));
  std::optional<at::Tensor> result;
  for (at::Tensor square = matrix; power > 0; power >>= 1) {
    if ((power & 1) != 0) result = result ? times(*result, square) : square;
    if (power > 1) square = times(square, square);
  }
  return make_array(result->clone());
}

// --- scipy.linalg

/// Implements scipy.linalg.qr with the modes 'full' and 'economic'.
Value scipy_qr(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("qr", arguments, {"a", "overwrite_a", "lwork", "mode", "pivoting"}, 1);
  const std::string mode = bound.has(3) ? to_text(bound[3], "mode") : "full";
  if ((mode != "full" && mode != "economic") || bound.flag(4, false)) {
    throw Mistake("qr() knows the modes 'full' and 'economic' here, without pivoting");
  }
  const auto [q, r] =
      at::linalg_qr(matrix_of(evaluator, bound[0], false), mode == "full" ? "complete" : "reduced");
  return make_tuple({make_array(q), make_array(r)});
}

/// Implements scipy.linalg.lu: the permutation, the lower and the upper matrix.
Value scipy_lu(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("lu", arguments, {"a", "permute_l"}, 1);
  const auto [p, l, u] = at::linalg_lu(matrix_of(evaluator, bound[0], false));
  if (!bound.flag(1, false)) return make_tuple({make_array(p), make_array(l), make_array(u)});
  return make_tuple({make_array(at::matmul(p, l)), make_array(u)});
}

void add_scipy(Evaluator& evaluator) {
  const auto linalg = make_namespace("scipy.linalg");
  const std::pair<const char*, Method> functions[] = {
      {"inv", inverse}, {"det", determinant}, {"norm", norm}, {"qr", scipy_qr}, {"lu", scipy_lu}};
  for (const auto& [name, function] : functions) add_function(*linalg, name, function);
  const auto scipy = make_namespace("scipy");
  scipy->names->set("linalg", linalg);
  evaluator.add_module("scipy", scipy);
  evaluator.add_module("scipy.linalg", linalg);
}

}  // namespace

Value matrix_product(Evaluator& evaluator, const Value& left, const Value& right) {
  const Operand a = operand_of(evaluator, left);
  const Operand b = operand_of(evaluator, right);
  for (const Operand& operand : {a, b}) {
    if (operand.numbers.dim() > 0) continue;
    throw Mistake::of("ValueError",
                      "matmul: Input operand 0 does not have enough dimensions (has 0, gufunc core "
                      "with signature (n?,k),(k,m?)->(n?,m?) requires 1)");
  }
  const c10::ScalarType type = result_type({a, b});
  const std::int64_t inner = a.numbers.size(-1);
  const std::int64_t other = b.numbers.dim() == 1 ? b.numbers.size(0) : b.numbers.size(-2);
  if (inner != other) {
    throw Mistake::of("ValueError",
                      fmt::format("matmul: Input operand 1 has a mismatch in its core dimension 0, "
                                  "with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {} is "
                                  "different from {})",
                                  other, inner));
  }
  evaluator.spend(a.numbers.numel() / 8 + b.numbers.numel() / 8 + 1);
  if (type == at::kBool) {
    return result_of(at::matmul(a.numbers.to(at::kLong), b.numbers.to(at::kLong)).ne(0));
  }
  const c10::ScalarType wide = type == at::kHalf ? at::kFloat : type;
  return result_of(at::matmul(a.numbers.to(wide), b.numbers.to(wide)).to(type));
}

void add_linear_algebra(const Library& library) {
  const auto linalg = make_namespace("numpy.linalg");
  const std::pair<const char*, Method> of_linalg[] = {
      {"inv", inverse},     {"pinv", pseudo_inverse},
      {"det", determinant}, {"cholesky", cholesky},
      {"qr", qr},           {"svd", svd},
      {"solve", solve},     {"eigh", eigh},
      {"norm", norm},       {"matrix_power", matrix_power}};
  for (const auto& [name, function] : of_linalg) add_function(*linalg, name, function);
  const auto error = make_type("LinAlgError");
  const auto& above = library.evaluator.type("ValueError")->order;
  error->order.insert(error->order.end(), above.begin(), above.end());
  library.evaluator.add_type(error);
  linalg->names->set("LinAlgError", error);
  library.evaluator.add_module("numpy.linalg", linalg);
  library.names.names->set("linalg", linalg);
  add_scipy(library.evaluator);
}

}  // namespace knead::engine::model::numpy
