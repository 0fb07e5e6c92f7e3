#pragma once

#include <memory>
#include <string>

#include "schema/document/parse.h"

namespace knead::engine::tests {

/// `model.args` as a recipe would hold them.
inline schema::Node arguments(const std::string& yaml) {
  schema::Problems problems;
  return *schema::parse_yaml(std::make_shared<schema::Source>("recipe.yaml", "/recipe.yaml", yaml),
                             problems);
}

}  // namespace knead::engine::tests
