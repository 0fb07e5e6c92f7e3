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

/// Reports that forward's return value does not fit the loss or metric that takes it. Thrown below
/// Output::at_return(), which knows the place where forward returns the value and adds it.
class UnfitOutput : public Error {
 public:
  using Error::Error;
};

/// Selects the part of forward's return value that the loss or a metric takes. All selections throw
/// UnfitOutput with a description of the return value, "a tuple of 2", if the key does not lead to
/// a value of the requested kind; if the place is known, they throw syntax::Refusal at it instead.
/// Made for one call of forward, as a temporary: it borrows its arguments. Selecting copies no
/// numbers.
class Output {
 public:
  /// Borrows `returned` and `key`, which must outlive this object. `place`: the return of forward,
  /// to which errors point; empty for an archive.
  Output(const c10::IValue& returned, const OutputKey& key, schema::Place place = {})
      : returned_(returned), key_(key), place_(std::move(place)) {}

  /// Returns the selected value, whatever its type.
  c10::IValue value() const;
  /// Returns the selected value, which must be a tensor; it shares the memory and the graph of
  /// forward's.
  at::Tensor tensor() const;

  /// Returns the items of the selected tuple or list, which must be exactly two tensors. `asker`
  /// names the loss in messages: "margin_ranking".
  std::pair<at::Tensor, at::Tensor> two(const std::string& asker) const;

  /// Returns the result of `function`. If the function throws UnfitOutput and the place is known,
  /// throws syntax::Refusal at the place instead.
  template <class Function>
  /// Returns the result of `function`. If the function throws UnfitOutput and the place is known,
  /// throws syntax::Refusal ("model-failed") at the place instead; other exceptions pass. A loss or
  /// metric that checks shapes runs inside it, so that its messages point into the model's source.
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
  /// Returns both tensors in `all`. Throws UnfitOutput if it holds anything else.
  std::pair<at::Tensor, at::Tensor> two_of(const c10::IValue& all, const std::string& asker) const;
  /// Names the selected value in messages: "forward's output 'logits'".
  std::string name() const;

  const c10::IValue& returned_;
  const OutputKey& key_;
  schema::Place place_;
};

}  // namespace knead::engine
