#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include "runner/syntax/refusal.h"
#include "schema/document/error.h"
#include "schema/document/source.h"

namespace knead::engine {

/// Holds the option model.output: the key of a dict or the field of a NamedTuple, the index of a
/// tuple or list (from the end if negative), or std::nullopt for the whole value.
using OutputKey = std::optional<std::variant<std::string, std::int64_t>>;

/// Reports that forward's return value does not fit the loss or metric that takes it.
/// Output::at_return() adds the place where forward returns the value.
class UnfitOutput : public Error {
 public:
  using Error::Error;
};

/// Selects the part of forward's return value that the loss or a metric takes. All selections throw
/// knead::Error with a description of the return value if the key does not lead to a value of the
/// requested kind.
class Output {
 public:
  /// `returned` and `key` must outlive this object. `place`: the return of forward if it is known;
  /// errors point to it.
  Output(const c10::IValue& returned, const OutputKey& key, schema::Place place = {})
      : returned_(returned), key_(key), place_(std::move(place)) {}

  /// Returns the selected value, whatever its type.
  c10::IValue value() const;
  /// Returns the selected value, which must be a tensor.
  at::Tensor tensor() const;

  /// Returns the items of the selected tuple or list, which must be two tensors. `asker` names the
  /// loss in messages.
  std::pair<at::Tensor, at::Tensor> two(const std::string& asker) const;

  /// Returns the result of `function`. If the function throws UnfitOutput and the place is known,
  /// throws syntax::Refusal at the place instead.
  template <class Function>
  auto at_return(const Function& function) const {
    try {
      return function();
    } catch (const UnfitOutput& error) {
      if (!place_) throw;
      throw syntax::Refusal("model-failed", place_, error.what(), error.remedy());
    }
  }

 private:
  /// Applies the key to the return value.
  c10::IValue chosen() const;
  std::pair<at::Tensor, at::Tensor> two_of(const c10::IValue& all, const std::string& asker) const;
  /// Names the selected value in messages: "forward's output 'logits'".
  std::string name() const;

  const c10::IValue& returned_;
  const OutputKey& key_;
  schema::Place place_;
};

}  // namespace knead::engine
