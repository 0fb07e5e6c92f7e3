#pragma once

#include "recipe/data.h"

namespace knead::data {

/// Gives the classes of the training images to all sets of images that name none, so that all of
/// them number classes alike. Throws knead::Error if they cannot, because the classes of the
/// training images have only numbers and those of another set have names.
recipe::Data with_image_classes(recipe::Data data);

}  // namespace knead::data
