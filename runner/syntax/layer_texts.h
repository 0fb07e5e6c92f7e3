#pragma once

#include <string_view>

namespace knead::syntax {

// The files of models/layers/, embedded at build time by tools/embed_layers.cmake. They are the
// only source of the layers: a program needs no file beside it, and its version fixes theirs. Each
// text is UTF-8 and lives as long as the program.
/// functional.py, which Python knows as torch.nn.functional.
extern const std::string_view functional_text;
/// init.py, which Python knows as torch.nn.init.
extern const std::string_view init_text;
/// nn.py, which Python knows as torch.nn: the module classes.
extern const std::string_view nn_text;
/// einops.py: functions of einops.
extern const std::string_view einops_text;
/// einops_layers.py, which Python knows as einops.layers.torch.
extern const std::string_view einops_layers_text;

}  // namespace knead::syntax
