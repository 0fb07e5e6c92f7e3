#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "runner/engine/model/values/program.h"
#include "schema/document/node.h"

namespace knead::engine::model {

/// What is to be built.
struct Request {
  std::filesystem::path source;
  std::string class_name;  // empty: the one class of the file that no other uses
  schema::Node args;       // a map, with the places of the recipe
};

/// Runs a source file and the __init__ of its class. Random numbers come from LibTorch's default
/// generator, as in PyTorch. Throws syntax::Refusal at the user's line; schema::InvalidRecipe where
/// class or args do not fit.
std::shared_ptr<Object> evaluate(const Request& request, Program& program);

}  // namespace knead::engine::model
