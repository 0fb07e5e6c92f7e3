#include "tests/engine/recorded.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <ATen/ops/from_blob.h>
#include <c10/core/ScalarType.h>

#include "tests/engine/processor_probe.h"

namespace knead::engine {

using nlohmann::json;

Recorded::Recorded(const std::string& name) {
  std::ifstream file(KNEAD_ROOT "/tests/fixtures/training/" + name + ".json");
  const json content = json::parse(file);
  cases = content.at(name);
  computes_alike = engine::computes_alike(content.at("processor"));
}

at::ScalarType dtype_of(const std::string& name) {
  static const std::map<std::string, at::ScalarType> dtypes{{"int64", at::kLong},
                                                            {"float64", at::kDouble},
                                                            {"float32", at::kFloat},
                                                            {"float16", at::kHalf},
                                                            {"bfloat16", at::kBFloat16}};
  return dtypes.at(name);
}

at::Tensor tensor_of(const json& recorded) {
  auto values = recorded.at("values").get<std::vector<double>>();
  const auto shape = recorded.at("shape").get<std::vector<std::int64_t>>();
  return at::from_blob(values.data(), shape, at::kDouble)
      .to(dtype_of(recorded.at("dtype")), false, /*copy=*/true);
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

bool is_within_bound(const at::Tensor& ours, const at::Tensor& theirs, const json& recorded) {
  if (!recorded.contains("bound")) return false;
  const at::Tensor apart = ours.to(at::kDouble).sub(theirs.to(at::kDouble)).abs();
  return ours.sizes() == theirs.sizes() &&
         apart.le(recorded.at("bound").get<double>()).all().item<bool>();
}

}  // namespace knead::engine
