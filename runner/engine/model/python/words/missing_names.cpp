#include "runner/engine/model/python/words/missing_names.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <ATen/core/dispatch/Dispatcher.h>

#include "runner/engine/model/operators/permission.h"
#include "runner/engine/model/values/mistake.h"
#include "schema/document/regular_expression.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {

bool is_of_standard_library(const std::string& name) {
  static constexpr std::string_view kModules[] = {
      "collections", "copy",   "functools", "inspect", "itertools", "json", "logging", "operator",
      "os",          "pickle", "queue",     "random",  "sys",       "time", "types",   "warnings"};
  const std::string_view root = std::string_view(name).substr(0, name.find('.'));
  return std::find(std::begin(kModules), std::end(kModules), root) != std::end(kModules);
}

std::vector<std::string> operator_names() {
  std::set<std::string> names;
  for (const c10::OperatorName& one : c10::Dispatcher::singleton().getAllOpNames()) {
    if (!one.name.starts_with("aten::") || one.name[6] == '_') continue;
    const std::string name = one.name.substr(6);
    if (!refusal_of_native(name)) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::string remedy_for_missing_method(const std::string& message) {
  static const schema::RegularExpression kMissing(
      R"('Tensor' object has no attribute or method '(\w+)')");
  const auto found = kMissing.match(message);
  if (!found) return "";
  const std::string& name = (*found)[1];
  if (name == "numpy") return "numpy is not available while the model runs: write it with torch";
  const auto names = operator_names();
  return schema::did_you_mean(name, {names.begin(), names.end()});
}

}  // namespace knead::engine::model
