#include "tests/engine/recorded.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <vector>

#include <ATen/ops/from_blob.h>
#include <c10/core/ScalarType.h>

namespace knead::engine {

using nlohmann::json;

Recorded::Recorded(const std::string& name) {
  std::ifstream file(KNEAD_ROOT "/tests/fixtures/training/" + name + ".json");
  const json content = json::parse(file);
  cases = content.at(name);
  capability = content.at("capability").get<std::string>();
}

at::Tensor tensor_of(const json& recorded) {
  auto values = recorded.at("values").get<std::vector<double>>();
  const auto shape = recorded.at("shape").get<std::vector<std::int64_t>>();
  const auto dtype = recorded.at("dtype").get<std::string>();
  const at::ScalarType type = dtype == "int64"     ? at::kLong
                              : dtype == "float64" ? at::kDouble
                                                   : at::kFloat;
  return at::from_blob(values.data(), shape, at::kDouble).to(type, false, /*copy=*/true);
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return a.scalar_type() == b.scalar_type() && a.equal(b);
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes())
    return std::numeric_limits<double>::infinity();
  if (a.numel() == 0) return 0;
  const double most = b.abs().max().item<double>();
  const double apart = a.to(at::kDouble).sub(b.to(at::kDouble)).abs().max().item<double>();
  return most > 0 ? apart / most : apart;
}

}  // namespace knead::engine
