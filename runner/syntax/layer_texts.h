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
/// argparse.py, which Python knows as argparse.
extern const std::string_view argparse_text;
/// utils.py: torch.nn.utils and torch.nn.utils.parametrizations.
extern const std::string_view utils_text;
/// timm.py: the layers of timm that many models import.
extern const std::string_view timm_text;
/// torchvision.py: the layers of torchvision.ops.
extern const std::string_view torchvision_text;
/// einops.py: functions of einops.
extern const std::string_view einops_text;
/// einops_layers.py, which Python knows as einops.layers.torch.
extern const std::string_view einops_layers_text;

}  // namespace knead::syntax
