#include "runner/front/check/name_hints.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "runner/syntax/classes.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

/// Maps conventional names to the import that binds them.
const std::map<std::string_view, std::string_view> kImports{
    {"torch", "import torch"},
    {"nn", "from torch import nn"},
    {"F", "import torch.nn.functional as F"},
    {"Tensor", "from torch import Tensor"},
    {"math", "import math"},
    {"np", "import numpy as np"},
    {"copy", "import copy"},
    {"dataclass", "from dataclasses import dataclass"},
    {"field", "from dataclasses import field"},
    {"Optional", "from typing import Optional"},
    {"List", "from typing import List"},
    {"Tuple", "from typing import Tuple"},
    {"Dict", "from typing import Dict"},
    {"Union", "from typing import Union"},
    {"Any", "from typing import Any"},
};

/// Maps keywords of other languages to those of Python.
const std::map<std::string_view, std::string_view> kOtherLanguages{
    {"true", "True"}, {"false", "False"}, {"null", "None"}, {"none", "None"}, {"this", "self"}};

std::string similar_name(std::string_view word, const syntax::Names& names) {
  std::vector<std::string_view> candidates;
  for (const std::string& name : names) {
    if (!name.starts_with("__")) candidates.push_back(name);
  }
  return schema::did_you_mean(word, candidates);
}

/// Returns whether an undefined name is inside a call of super(), as in super(Net, self).
bool calls_super(const syntax::UnknownName& unknown, const syntax::Reading& reading) {
  return std::any_of(reading.calls.begin(), reading.calls.end(), [&](const auto& call) {
    const bool is_around =
        call.range.begin < unknown.range.begin && unknown.range.end < call.range.end;
    return is_around && syntax::dotted_name(*call.node->callee) == "super";
  });
}

}  // namespace

std::string hint_for(const syntax::UnknownName& unknown, const syntax::Reading& reading,
                     const OwnAttributes& own) {
  const std::string& name = unknown.id;
  if (name == "self" && reading.owner) {
    return fmt::format("the first parameter of a method is its object: def {}(self, …)",
                       reading.function->name);
  }
  if (const auto import = kImports.find(name); import != kImports.end()) {
    return fmt::format("write at the top: {}", import->second);
  }
  if (const auto other = kOtherLanguages.find(name); other != kOtherLanguages.end()) {
    return fmt::format("did you mean '{}'?", other->second);
  }
  if (reading.owner && own.names.contains(name))
    return fmt::format("did you mean 'self.{}'?", name);
  if (calls_super(unknown, reading)) return "write super().__init__()";
  return similar_name(name, unknown.known);
}

std::string hint_for_attribute(const std::string& name, const syntax::Class& owner,
                               const OwnAttributes& known) {
  const syntax::Function* const init = method_of(owner, "__init__");
  if (init && syntax::bound_names(init->body).contains(name)) {
    return fmt::format("__init__ gives it to a variable of its own: write self.{} = …", name);
  }
  return similar_name(name, known.names);
}

}  // namespace knead::front
