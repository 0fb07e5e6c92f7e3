#include "runner/engine/model/explain/failing_call.h"

#include <algorithm>
#include <exception>
#include <string_view>

#include <ATen/record_function.h>

namespace knead::engine::model {
namespace {

/// Receives the result of the search on this thread. A callback is a plain function pointer, so it
/// has no other access to the result.
thread_local std::optional<FailingCall>* found_here = nullptr;

/// The call of an operator between its begin and its end.
struct Seen : at::ObserverContext {
  FailingCall call;
};

/// Records the name and inputs of an operator that begins.
std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
  auto seen = std::make_unique<Seen>();
  std::string_view name = function.name();
  if (name.starts_with("aten::")) name.remove_prefix(6);
  seen->call.name = name;
  const auto given = function.inputs();
  const std::size_t count = std::min(given.size(), function.num_inputs());
  const auto inputs = given.slice(given.size() - count);  // the last `count` values of the stack
  seen->call.inputs.assign(inputs.begin(), inputs.end());
  return seen;
}

/// Stores the call if an exception is unwinding through it. The innermost operator ends first, so
/// the outermost one is kept.
void end(const at::RecordFunction&, at::ObserverContext* context) {
  if (std::uncaught_exceptions() == 0 || !context || !found_here) return;
  *found_here = static_cast<Seen*>(context)->call;
}

/// Observes the operators of this thread during its lifetime.
class Watching {
 public:
  explicit Watching(std::optional<FailingCall>& found)
      : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(&begin, &end)
                                               .needsInputs(true)
                                               .scopes({at::RecordScope::FUNCTION}))) {
    found_here = &found;
  }
  ~Watching() {
    found_here = nullptr;
    at::removeCallback(handle_);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  at::CallbackHandle handle_;
};

}  // namespace

at::Tensor FailingCall::tensor(std::size_t place) const {
  const bool is_there = place < inputs.size() && inputs[place].isTensor();
  return is_there ? inputs[place].toTensor() : at::Tensor();
}

std::vector<at::Tensor> FailingCall::tensors() const {
  std::vector<at::Tensor> all;
  for (const c10::IValue& input : inputs) {
    if (input.isTensor() && input.toTensor().defined()) all.push_back(input.toTensor());
    if (!input.isTensorList()) continue;
    for (const at::Tensor& one : input.toTensorVector()) all.push_back(one);
  }
  return all;
}

std::optional<FailingCall> find_failing_call(const std::function<void()>& again) {
  std::optional<FailingCall> found;
  const Watching watching(found);
  try {
    again();
  } catch (const std::exception&) {
    return found;  // the caller knows the error from the first run
  }
  return std::nullopt;
}

}  // namespace knead::engine::model
