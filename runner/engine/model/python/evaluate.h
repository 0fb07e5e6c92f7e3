#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "runner/engine/model/values/program.h"
#include "schema/document/node.h"

namespace knead::engine::model {

/// A request to build a model from a source file.
struct Request {
  std::filesystem::path source;
  /// Names a class or a function; empty for the only class that no other class uses.
  std::string class_name;
  schema::Node args;  // a map with places in the recipe
};

/// Runs a source file and the __init__ of its class. Random numbers come from LibTorch's default
/// generator, as in PyTorch. The files are added to `program`. Throws syntax::Refusal at the user's
/// line; schema::InvalidRecipe if the arguments do not fit; knead::Error if the class is not found.
std::shared_ptr<Object> evaluate(const Request& request, Program& program);

}  // namespace knead::engine::model
