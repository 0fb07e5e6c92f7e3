#pragma once

#include "recipe/data.h"
#include "schema/document/node.h"

namespace knead::data {

/// Returns the tree of a recipe in which the images of data.train have the classes that were found
/// in their files, unless the recipe names them: who reads it again finds the same, whatever has
/// become of the files. `data` is the recipe's. Throws knead::Error if files of data.train cannot
/// be read.
schema::Node with_found_classes(schema::Node tree, const recipe::Data& data);

}  // namespace knead::data
