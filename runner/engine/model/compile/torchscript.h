#pragma once

// Includes the headers of TorchScript's compiler in one place, because they are many and few files
// need them. They are internal headers of LibTorch and may change with its version. A file that
// includes this one takes several times longer to compile than one with ATen/core headers only.

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/error_report.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/frontend/script_type_parser.h>
#include <torch/csrc/jit/frontend/sugared_value.h>
#include <torch/csrc/jit/runtime/operator.h>

#include "runner/engine/model/lower/trees.h"
