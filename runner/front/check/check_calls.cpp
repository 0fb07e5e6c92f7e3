#include "runner/front/check/check_calls.h"

#include <fmt/format.h>

#include "runner/syntax/binding/bind_call.h"
#include "runner/syntax/binding/words.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

/// Returns the remedy for a fault; empty if there is none.
std::string remedy(const syntax::Fault& fault) {
  const auto* unexpected = std::get_if<syntax::UnexpectedKeyword>(&fault);
  if (!unexpected) return "";
  return schema::did_you_mean(unexpected->name, unexpected->candidates);
}

}  // namespace

std::optional<WrongCall> wrong_call(const syntax::Call& call, const syntax::Function& init,
                                    const std::string& name) {
  // A decorator may change the parameters; check_module() reports an __init__ without its object.
  if (!init.decorators.empty() || init.parameters.empty()) return std::nullopt;
  syntax::ArgumentShape arguments = syntax::shape_of(call);
  ++arguments.positional;  // the object
  const std::vector<syntax::ParameterShape> parameters = syntax::shapes_of(init.parameters);
  const syntax::Binding binding = syntax::bind_call(parameters, arguments);
  const auto* fault = std::get_if<syntax::Fault>(&binding);
  if (!fault) return std::nullopt;
  return WrongCall{fmt::format("{}.__init__() {}", name, syntax::python_words(*fault)),
                   remedy(*fault)};
}

}  // namespace knead::front
