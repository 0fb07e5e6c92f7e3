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
/// autograd.py, which Python knows as torch.autograd.
extern const std::string_view autograd_text;
/// containers.py, which Python knows as collections.
extern const std::string_view containers_text;
/// distributions.py, which Python knows as torch.distributions.
extern const std::string_view distributions_text;
/// hub.py: the base class of huggingface_hub.
extern const std::string_view hub_text;
/// operators.py, which Python knows as operator.
extern const std::string_view operators_text;
/// optim.py: optimizers that a model may make and not use.
extern const std::string_view optim_text;
/// queues.py, which Python knows as queue.
extern const std::string_view queues_text;
/// utils.py: torch.nn.utils and torch.nn.utils.parametrizations.
extern const std::string_view utils_text;
/// timm.py: the layers of timm that many models import.
extern const std::string_view timm_text;
/// torchvision.py: the layers of torchvision.ops.
extern const std::string_view torchvision_text;
/// amp.py: torch.amp and torch.cuda.amp.
extern const std::string_view amp_text;
/// attention.py, which Python knows as torch.nn.attention.
extern const std::string_view attention_text;
/// characters.py, which Python knows as string.
extern const std::string_view characters_text;
/// contexts.py, which Python knows as contextlib.
extern const std::string_view contexts_text;
/// distributed.py, which Python knows as torch.distributed.
extern const std::string_view distributed_text;
/// expressions.py, which Python knows as re.
extern const std::string_view expressions_text;
/// random_numbers.py, which Python knows as random.
extern const std::string_view random_numbers_text;
/// threads.py, which Python knows as threading.
extern const std::string_view threads_text;
/// vision.py: the models of torchvision.models.
extern const std::string_view vision_text;
/// einops.py: functions of einops.
extern const std::string_view einops_text;
/// einops_layers.py, which Python knows as einops.layers.torch.
extern const std::string_view einops_layers_text;

}  // namespace knead::syntax
