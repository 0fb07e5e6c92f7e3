#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "runner/engine/model/values/program.h"
#include "schema/document/node.h"

namespace knead::engine::model {

/// A request to build a model from a source file, as the keys model.source, model.class and
/// model.args of a recipe give it.
struct Request {
  /// The file. Imported files are searched for in its folder.
  std::filesystem::path source;
  /// Names a class or a function; empty for the only class that no other class uses.
  std::string class_name;
  /// Arguments of __init__ or of the function by name: a map with places in the recipe; empty for
  /// no arguments.
  schema::Node args;
};

/// Runs a source file and the __init__ of its class, or a function that returns the module. Reads
/// the file and the files that it imports. Random numbers come from LibTorch's default generator,
/// as in PyTorch, so equal seeds give equal weights. The files are added to `program`. Gradients
/// are enabled during the call. Throws syntax::Refusal at the user's line; schema::InvalidRecipe if
/// the arguments do not fit; knead::Error if the file cannot be read or the class is not found.
std::shared_ptr<Object> evaluate(const Request& request, Program& program);

/// Does the same with an evaluator for this folder and program that has run nothing yet, and that
/// can run methods of the object afterwards.
std::shared_ptr<Object> evaluate(const Request& request, Evaluator& evaluator);

}  // namespace knead::engine::model
