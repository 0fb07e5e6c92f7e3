#pragma once

#include <memory>
#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Parses the files of torch.nn, and keeps their syntax trees for the models that this process, and
/// those forked from it, builds later.
void keep_layers();

/// Runs the embedded layer files (models/layers/*.py) of torch.nn and adds their names to torch.nn,
/// torch.nn.functional and torch.nn.init. Reads no file. The modules torch and torch.nn must exist,
/// and a call must be open: Evaluator::module() calls this at the first import of torch.
void load_layers(Evaluator& evaluator);

/// Runs the embedded file of a library of layers, such as torch.nn.utils or timm.layers, registers
/// its modules and returns the one of this name; null if no library has the name. A call must be
/// open. Only models that import a library pay for it.
std::shared_ptr<Namespace> load_library(Evaluator& evaluator, const std::string& module);

/// Runs the embedded files of einops and adds their names to einops and einops.layers.torch. The
/// module einops must exist, and a call must be open: Evaluator::module() calls this at the first
/// import of einops.
void load_einops(Evaluator& evaluator);

}  // namespace knead::engine::model
