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

/// The key of a dict, the index of a tuple or list: model.output.
using OutputKey = std::optional<std::variant<std::string, std::int64_t>>;

/// What forward returned does not fit what looks at it. Output::at_return shows where it returned
/// that.
class UnfitOutput : public Error {
 public:
  using Error::Error;
};

/// What the loss, or a metric, sees of what forward returned. All throw knead::Error that says what
/// was returned, where the key does not lead to what is asked for.
class Output {
 public:
  /// `place`: the return of forward, where that is known: mistakes are shown there. The others
  /// outlive this.
  Output(const c10::IValue& returned, const OutputKey& key, schema::Place place = {})
      : returned_(returned), key_(key), place_(std::move(place)) {}

  /// Whatever is there.
  c10::IValue value() const;
  at::Tensor tensor() const;

  /// A tuple or list of two tensors, which `asker` needs.
  std::pair<at::Tensor, at::Tensor> two(const std::string& asker) const;

  /// What a function makes of it; where that is UnfitOutput, with the place, if it is known.
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
  c10::IValue chosen() const;
  std::pair<at::Tensor, at::Tensor> two_of(const c10::IValue& all, const std::string& asker) const;
  std::string name() const;

  const c10::IValue& returned_;
  const OutputKey& key_;
  schema::Place place_;
};

}  // namespace knead::engine
