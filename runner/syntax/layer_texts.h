#pragma once

#include <string_view>

namespace knead::syntax {

// The files of models/layers/, embedded at build time by tools/embed_layers.cmake.
extern const std::string_view functional_text;
extern const std::string_view init_text;
extern const std::string_view nn_text;

}  // namespace knead::syntax
