#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/values/work.h"

namespace knead::engine::model {
namespace {

/// States how many steps of the evaluator it takes as long as to throw and to catch an exception.
constexpr std::int64_t kStepsOfRaise = 500;

/// Returns the user's frame whose call repeats most often in a recursion; null if all frames are in
/// layers. The recursion may hit its limit at any depth, so the last frame alone says little.
const StackFrame* most_repeated(const std::vector<StackFrame>& frames) {
  std::map<std::pair<const FileValues*, std::uint32_t>, int> times;
  const StackFrame* most = nullptr;
  for (const StackFrame& frame : frames) {
    if (is_layer(*frame.file)) continue;
    const int now = ++times[{frame.file, frame.at.begin}];
    if (!most || now > times[{most->file, most->at.begin}]) most = &frame;
  }
  return most;
}

/// Returns a number as a message shows it: "20 million", "1500".
std::string limit_in_words(std::int64_t steps) {
  constexpr std::int64_t kMillion = 1'000'000;
  return steps % kMillion == 0 ? fmt::format("{} million", steps / kMillion)
                               : std::to_string(steps);
}

}  // namespace

bool Evaluator::is_in_layer() const { return !frames_.empty() && is_layer(*frames_.back().file); }

std::int64_t Evaluator::steps() const {
  return steps_ + (counted_parts() - parts_before_) / kPartsOfStep;
}

void Evaluator::spend(std::int64_t steps) {
  steps_ += steps;
  if (this->steps() > limits_.steps || steps < 0) {
    is_exhausted_ = true;
    throw Mistake(
        "this takes too many steps: building a model may take " + limit_in_words(limits_.steps),
        "is there a loop that does not end, or a very long list?");
  }
}

void Evaluator::spend_item(const Value& item) {
  std::int64_t steps = 4 + text_steps(item);
  // A tuple that nothing else holds has just been made, as by zip().
  if (const auto* tuple = as<Tuple>(item); tuple && tuple->use_count() == 1) {
    for (const Value& part : (*tuple)->items) steps += 4 + text_steps(part);
  }
  spend(steps);
}

void Evaluator::spend_items_of(const Values& items) {
  for (const Value& item : items) spend_item(item);
}

void Evaluator::spend_items_of(const Dict& dict) {
  for (const auto& [key, value] : dict.items) spend(4 + text_steps(key) + text_steps(value));
}

// Recursion is limited by the bytes of stack in use, which hold for every kind of nesting, and by
// the number of calls.
void Evaluator::enter(syntax::Range range) {
  const char here = 0;
  if (stack_ == nullptr) stack_ = &here;
  const auto used = static_cast<std::size_t>(std::abs(stack_ - &here));
  if (used > limits_.stack || frames_.size() > limits_.calls) {
    is_exhausted_ = true;
    const auto* again = most_repeated(frames_);
    if (!again) fail(range, "maximum recursion depth exceeded");
    throw syntax::Refusal("model-failed", again->file->file->place(again->at),
                          "maximum recursion depth exceeded",
                          "what is called here comes back here");
  }
  ++steps_;
  if (steps() > limits_.steps) at_place(range, [&] { spend(0); });
}

std::vector<schema::Place> Evaluator::chain(syntax::Range range) const {
  std::vector<schema::Place> places;
  for (const StackFrame& frame : frames_) {
    const bool is_last = &frame == &frames_.back();
    places.push_back(frame.file->file->place(is_last ? range : frame.at));
  }
  return places;
}

void Evaluator::fail(syntax::Range range, const std::string& message,
                     const std::string& remedy) const {
  std::vector<schema::Place> places = chain(range);
  // The error is reported at the deepest frame of a user file; calls in layers below it are listed.
  std::size_t user = frames_.size() - 1;
  while (user > 0 && is_layer(*frames_[user].file)) --user;
  syntax::Refusal refusal("model-failed", places[user], message, remedy);
  refusal.calls.assign(places.begin() + static_cast<std::ptrdiff_t>(user) + 1, places.end());
  throw refusal;
}

void Evaluator::fail(syntax::Range range, const Mistake& mistake) {
  if (mistake.type().empty() || is_exhausted_) fail(range, mistake.what(), mistake.remedy());
  steps_ += kStepsOfRaise;  // the next step looks at the limit
  try {
    fail(range, mistake.what(), mistake.remedy());
  } catch (const syntax::Refusal& refusal) {
    throw Raised(refusal, make_exception(mistake.type(), mistake.what()));
  }
}

std::optional<Value> Evaluator::call_unless(const char* exception, const Value& of,
                                            const std::string& method, Values arguments) {
  return unless(exception, [&] { return call_method(of, method, std::move(arguments)); });
}

std::optional<Value> Evaluator::attribute_or_none(const Value& of, const std::string& name) {
  return unless("AttributeError", [&] { return find_attribute(of, name); });
}

std::optional<Value> Evaluator::unless(const char* exception,
                                       const std::function<std::optional<Value>()>& work) {
  const std::size_t depth = frames_.size();
  const std::shared_ptr<Scope> scope = frames_.back().scope;
  try {
    return work();
  } catch (const Raised& raised) {
    if (is_exhausted_ || !is_instance(raised.exception(), type(exception))) throw;
    frames_.resize(depth);
    frames_.back().scope = scope;
    return std::nullopt;
  }
}

Value value_or_placeholder(Evaluator& evaluator, const syntax::Expression& expression) {
  const bool is_name = std::holds_alternative<syntax::Name>(expression.kind) ||
                       std::holds_alternative<syntax::Attribute>(expression.kind);
  if (!is_name) return evaluator.evaluate(expression);
  try {
    return evaluator.evaluate(expression);
  } catch (const Raised&) {
    throw;
  } catch (const syntax::Refusal& refusal) {
    const auto missing = make_namespace("a missing name");
    missing->available = false;
    missing->failure = std::make_shared<const syntax::Refusal>(refusal);
    return missing;
  }
}

void Evaluator::raise(syntax::Range range, const std::shared_ptr<Object>& exception,
                      const std::string& remedy) {
  steps_ += kStepsOfRaise;
  const std::string message = text(exception);
  const std::string& name = exception->type->name;
  try {
    fail(range, message.empty() ? name : name + ": " + message, remedy);
  } catch (const syntax::Refusal& refusal) {
    throw Raised(refusal, exception);
  }
}

// The texts of some mistakes begin with the name of the exception, which Python does not count as
// its message.
std::shared_ptr<Object> Evaluator::make_exception(const std::string& type,
                                                  const std::string& message) {
  const std::string prefix = type + ": ";
  const bool is_named = message.starts_with(prefix);
  auto object = std::make_shared<Object>();
  object->type = this->type(type);
  const Value text = is_named ? message.substr(prefix.size()) : message;
  object->attributes.emplace_back("args", make_tuple({text}));
  return object;
}

}  // namespace knead::engine::model
