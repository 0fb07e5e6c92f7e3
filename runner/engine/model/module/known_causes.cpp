#include "runner/engine/model/module/known_causes.h"

#include <fmt/format.h>

#include "runner/engine/model/module/run_bounds.h"
#include "schema/document/regular_expression.h"

namespace knead::engine::model {

std::optional<Explanation> explain_in_any_layer(const std::string& cause) {
  static const schema::RegularExpression kPrimitive(
      R"(could not create a primitive descriptor for the (\w+))");
  static const schema::RegularExpression kAlert(
      R"((\S+) does not have a deterministic implementation)");
  if (cause.starts_with(kTooManySteps))
    return Explanation{cause, "is there a loop that does not end, or a very long list or text?"};
  if (cause.find("more than 1 value per channel when training") != std::string::npos)
    return Explanation{
        "batch norm is given one sample, and needs two to train",
        "data.drop_last: true leaves out the last batch of an epoch, which may be "
        "too small for the micro-batches of all ranks; batch.micro must be 2 or more"};
  if (cause.find("to be on the same device") != std::string::npos)
    return Explanation{
        "a Tensor on the GPU meets one in the memory of the host",
        "a Tensor that forward makes is on the host unless it says: torch.ones(4, "
        "device=x.device); one that __init__ makes moves with the model as a parameter or by "
        "self.register_buffer(…)"};
  if (const auto found = kPrimitive.find(cause))
    return Explanation{
        fmt::format("this processor has no kernel for {} in this precision", (*found)[1]),
        "write precision: fp32"};
  const auto found = kAlert.find(cause);
  if (!found) return std::nullopt;
  return Explanation{
      fmt::format("{} has no kernel that gives the same bits each time", (*found)[1]),
      "write deterministic: false to do without"};
}

Explanation explain(const std::string& cause) {
  static const schema::RegularExpression kUnpacked(
      R"(Expected (\d+) elements in a list but found (\d+))");
  if (const auto found = kUnpacked.match(cause)) {
    const std::string &wanted = (*found)[1], &given = (*found)[2];
    return {std::stoi(given) < std::stoi(wanted)
                ? fmt::format("not enough values to unpack (expected {}, got {})", wanted, given)
                : fmt::format("too many values to unpack (expected {})", wanted),
            ""};
  }
  if (cause.starts_with("Boolean value of Tensor")) {
    return {"a truth value is needed here, and this Tensor has several",
            "write .any() or .all(); to choose for each number: torch.where(…), and & for 'and'"};
  }
  // The C++ functions behind float() and int() say their names only.
  if (cause == "stod") return {"could not convert string to float", ""};
  if (cause == "stoll") return {"invalid literal for int()", ""};
  return {cause, ""};
}

}  // namespace knead::engine::model
