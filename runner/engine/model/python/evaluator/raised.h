#pragma once

#include "runner/engine/model/values/value.h"
#include "runner/syntax/refusal.h"

namespace knead::engine::model {

/// Reports an exception of the source that is on its way to an `except`. It ends the build like any
/// other Refusal if none catches it.
class Raised : public syntax::Refusal {
 public:
  Raised(syntax::Refusal refusal, std::shared_ptr<Object> exception)
      : syntax::Refusal(std::move(refusal)), exception_(std::move(exception)) {}

  /// Returns the object that `except … as name` binds.
  const std::shared_ptr<Object>& exception() const { return exception_; }

 private:
  std::shared_ptr<Object> exception_;
};

/// Reports the use of a name whose statement failed before; at_place() adds the place of the use.
struct FailedBefore {
  std::shared_ptr<const syntax::Refusal> failure;
};

/// Returns the value of an expression. For the name of something that is not there, such as a class
/// of another package, returns a placeholder, whose use is the error.
Value value_or_placeholder(Evaluator& evaluator, const syntax::Expression& expression);

}  // namespace knead::engine::model
