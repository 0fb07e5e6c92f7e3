#include "runner/engine/model/python/numpy/numpy.h"

#include <limits>
#include <numbers>

#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/elementwise.h"
#include "runner/engine/model/python/numpy/functions.h"
#include "runner/engine/model/python/numpy/python_random.h"

namespace knead::engine::model {

namespace {

void add_constants(Scope& names) {
  names.set("pi", std::numbers::pi);
  names.set("e", std::numbers::e);
  names.set("euler_gamma", std::numbers::egamma);
  names.set("inf", std::numeric_limits<double>::infinity());
  names.set("nan", std::numeric_limits<double>::quiet_NaN());
  names.set("newaxis", None{});
  names.set("True_", ArrayScalar{c10::ScalarType::Bool, true});
  names.set("False_", ArrayScalar{c10::ScalarType::Bool, false});
  names.set("__version__", "2.4");
}

/// Implements np.errstate and np.printoptions, which change nothing here, and functions of which
/// nothing is seen in a model.
Value nothing(Evaluator&, const Arguments&) { return None{}; }

}  // namespace

void add_numpy(Evaluator& evaluator) {
  const auto names = make_namespace("numpy");
  numpy::add_dtypes(evaluator, *names);
  const auto array = make_type("numpy.ndarray");
  evaluator.add_type(array);
  names->names->set("ndarray", array);
  const numpy::Library library{evaluator, *names, *array, *evaluator.type("numpy.generic")};
  add_constants(*names->names);
  numpy::add_elementwise(*names);
  numpy::add_binary_functions(*names);
  numpy::add_constructors(library);
  numpy::add_shapes(library);
  numpy::add_joining(library);
  numpy::add_reductions(library);
  numpy::add_running(library);
  numpy::add_ordering(library);
  numpy::add_choosing(library);
  numpy::add_matrices(library);
  numpy::add_linear_algebra(library);
  numpy::add_array_methods(library);
  numpy::add_random(library);
  add_python_random(evaluator);
  add_function(*names, "set_printoptions", nothing);
  add_function(*names, "seterr", nothing);
  evaluator.add_module("numpy", names);
}

}  // namespace knead::engine::model
