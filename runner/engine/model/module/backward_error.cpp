#include "runner/engine/model/module/backward_error.h"

#include <cctype>

#include <fmt/format.h>

#include "runner/engine/model/explain/run_error.h"
#include "runner/engine/model/module/known_causes.h"
#include "runner/engine/model/module/node_places.h"
#include "runner/engine/model/values/explanation.h"
#include "runner/syntax/refusal.h"
#include "schema/document/regular_expression.h"

namespace knead::engine::model {
namespace {

/// Throws syntax::Refusal at a place; knead::Error if the place is empty.
[[noreturn]] void refuse_backward(const schema::Place& place, const Explanation& what) {
  if (!place) throw Error(what.message, what.remedy);
  throw syntax::Refusal("model-failed", place, what.message, what.remedy);
}

/// Returns the operator of a backward function: "log_softmax" for "LogSoftmaxBackward0".
std::string operator_of(const std::string& backward) {
  std::string name;
  for (const char letter : backward.substr(0, backward.find("Backward"))) {
    const bool is_capital = std::isupper(static_cast<unsigned char>(letter)) != 0;
    if (is_capital && !name.empty()) name += '_';
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return name;
}

/// Reports a tensor that was changed in place after it was saved. The place is exact only if the
/// model calls the operator once.
[[noreturn]] void throw_changed_in_place(const std::string& backward, const Model::Parts& parts) {
  const std::string name = operator_of(backward);
  const auto places = places_of("aten::" + name, parts);
  refuse_backward(
      places.size() == 1 ? places[0] : parts.returns_at,
      {fmt::format("the gradient of {} needs a Tensor that was changed in place afterwards", name),
       "leave out inplace=True, write x = x + y for x += y, and x.relu() for x.relu_()"});
}

}  // namespace

void throw_nothing_to_learn(const Model::Parts& parts) {
  if (parts.parameters.empty()) {
    refuse_backward(parts.returns_at, {"the model has no parameters: there is nothing to train",
                                       "what is trained is a layer, or made by nn.Parameter(…)"});
  }
  refuse_backward(
      parts.returns_at,
      {"the loss does not depend on a parameter: nothing would be trained",
       "torch.no_grad(), .detach(), .data, .item() and argmax end the way of a gradient"});
}

void throw_backward_error(const std::string& text, const Model::Parts& parts) {
  static const schema::RegularExpression kInPlace(
      R"(modified by an inplace operation.*output \d+ of (\w+),)");
  if (const auto found = kInPlace.find(text)) throw_changed_in_place((*found)[1], parts);
  if (const auto known = explain_in_any_layer(text)) refuse_backward(parts.returns_at, *known);
  refuse_backward(parts.returns_at, {"the backward pass failed: " + first_sentence(text), ""});
}

}  // namespace knead::engine::model
