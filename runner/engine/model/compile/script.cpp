#include "runner/engine/model/compile/script.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/compile/compile.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/syntax/parse.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

/// Runs before a script, so that a recipe needs no imports.
constexpr const char* kImports =
    "import math\n"
    "import torch\n"
    "import torch.nn as nn\n"
    "import torch.nn.functional as F\n"
    "from torch import Tensor\n"
    "from typing import Dict, List, Optional, Tuple\n";

std::shared_ptr<const schema::Source> own_source(const std::string& name, std::string text) {
  return std::make_shared<schema::Source>(name, std::filesystem::path(), std::move(text));
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// Returns the lines of a recipe below line `first` that `block` was read from, with their
/// indentation. Returns an empty text if they differ from the block, because the block was folded,
/// quoted or changed.
std::string lines_below(const schema::Source& recipe, int first, std::string_view block) {
  std::string lines;
  std::size_t indent = 0;
  for (int number = first + 1; !block.empty(); ++number) {
    const std::size_t end = std::min(block.find('\n'), block.size());
    const std::string_view wanted = block.substr(0, end);
    std::string_view line = recipe.line(number);
    if (line.ends_with('\r')) line.remove_suffix(1);
    // YAML takes the indentation of a block from its first line that is not empty.
    if (indent == 0 && !wanted.empty()) indent = indentation(line) - indentation(wanted);
    const bool same = wanted.empty() ? indentation(line) == line.size()
                                     : line.substr(std::min(indent, line.size())) == wanted;
    if (!same || (!wanted.empty() && (indent == 0 || indentation(line) < indent))) return "";
    lines += std::string(wanted.empty() ? "" : line) + "\n";
    block.remove_prefix(std::min(end + 1, block.size()));
  }
  return lines;
}

/// Returns the function of this name at the top level of a file; null if there is none. A function
/// below the added `if True:` counts as top level.
const Function* function_named(const FileValues& file, const std::string& name) {
  const Value* value = file.globals->find(name);
  const auto* function = value ? as<Function>(*value) : nullptr;
  return function && (*function)->definition ? function->get() : nullptr;
}

/// Returns the source text of the annotation of the first parameter; "Tensor" if it has none.
std::string type_of_output(const Function& function) {
  const auto& parameter = function.definition->parameters.at(0);
  if (!parameter.annotation) return "Tensor";
  const auto place = function.file->file->place(parameter.annotation->range);
  return place.source->text().substr(place.begin, place.end - place.begin);
}

void expect_two_parameters(const Function& function, const std::string& name) {
  if (function.definition->parameters.size() == 2) return;
  throw syntax::Refusal(
      "model-refused", function.file->file->place(function.definition->name_range),
      fmt::format("'{}' is called with two arguments", name),
      fmt::format("write def {}(output: Tensor, batch: Dict[str, Tensor])", name));
}

}  // namespace

std::shared_ptr<const schema::Source> source_of_script(const schema::Node& code) {
  const schema::Place& place = code.anchor ? code.anchor : code.place;
  if (place && place.source->is_file()) {
    const schema::Source& recipe = *place.source;
    const int first = place.line();
    const std::string lines = lines_below(recipe, first, code.text);
    if (!lines.empty()) {
      // Indented lines need a block statement above them. `if True:` stands on the line of `code:
      // |`, so all line and column numbers stay those of the recipe.
      const std::string above(static_cast<std::size_t>(first - 1), '\n');
      return std::make_shared<schema::Source>(recipe.name(), recipe.path(),
                                              above + "if True:\n" + lines);
    }
  }
  return std::make_shared<schema::Source>("code", "code", code.text);
}

Script compile_script(const schema::Node& code, const std::string& name) {
  Program program;
  Evaluator evaluator(program, {});
  add_builtins(evaluator);
  const auto scope = std::make_shared<Scope>();
  // All three sources run in one scope, so the function sees the imports and the module sees the
  // function.
  evaluator.run(syntax::parse(own_source("imports of a script", kImports)), "script", scope);
  const FileValues& file = evaluator.run(syntax::parse(source_of_script(code)), "script", scope);
  const Function* function = function_named(file, name);
  if (!function)
    throw Error(
        fmt::format("the code of the recipe defines no function '{}'", name),
        fmt::format("write def {}(output: Tensor, batch: Dict[str, Tensor]) -> Tensor:", name),
        Exit::invalid_recipe);
  expect_two_parameters(*function, name);
  const std::string type = type_of_output(*function);
  // compile() takes an nn.Module, so a module whose forward calls the function is built around it.
  const std::string module = fmt::format(
      "class Script(nn.Module):\n"
      "    def forward(self, output: {}, batch: Dict[str, Tensor]):\n"
      "        return {}(output, batch)\n",
      type, name);
  const FileValues& own =
      evaluator.run(syntax::parse(own_source("script", module)), "script", scope);
  const auto& made = std::get<std::shared_ptr<Class>>(*scope->find("Script"));
  const auto root = evaluator.in_file(own, {}, [&] {
    return std::get<std::shared_ptr<Object>>(evaluator.construct(made, {}, {}));
  });
  return {compile(root, program), type == "Tensor" || type == "torch.Tensor"};
}

}  // namespace knead::engine::model
