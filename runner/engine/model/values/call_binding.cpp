#include "runner/engine/model/values/call_binding.h"

#include <fmt/format.h>

#include "runner/syntax/binding/words.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {

syntax::ArgumentShape shape_of(const Arguments& arguments) {
  syntax::ArgumentShape shape;
  shape.positional = arguments.positional.size();
  for (const auto& [name, value] : arguments.named) shape.keywords.push_back(name);
  return shape;
}

const Value* argument_in(const syntax::Slot& slot, const Arguments& arguments) {
  if (const auto* one = std::get_if<syntax::ByPosition>(&slot)) {
    return &arguments.positional[one->index];
  }
  if (const auto* one = std::get_if<syntax::ByName>(&slot)) {
    return &arguments.named[one->index].second;
  }
  // A default and the rest of the arguments have no single argument.
  return nullptr;
}

std::string remedy(const syntax::Fault& fault) {
  const auto* unexpected = std::get_if<syntax::UnexpectedKeyword>(&fault);
  // A missing or a surplus argument has no name that another one could be meant by.
  return unexpected ? schema::did_you_mean(unexpected->name, unexpected->candidates) : "";
}

Mistake wrong_call(std::string_view function, const syntax::Fault& fault) {
  return Mistake(fmt::format("{}() {}", function, syntax::python_words(fault)), remedy(fault));
}

}  // namespace knead::engine::model
